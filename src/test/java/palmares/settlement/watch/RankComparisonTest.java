package palmares.settlement.watch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palmares.rules.board.Watch;
import palmares.settlement.watch.Move.Kind;
import palmares.settlement.watch.Move.Line;
import palmares.settlement.watch.RankComparison.Found;
import palmares.settlement.watch.RankComparison.Top;

/** What has moved between two readings of a board's first places. */
class RankComparisonTest {
  private static final int MANY = 10_000;

  private Instant now = Instant.parse("2026-11-20T10:00:00Z");
  private Watch watch = new Watch(List.of(2L), List.of(), true);
  private boolean fewestWin;
  private SeenBoard seen = SeenBoard.EMPTY;
  private String exclusions = "0";

  /** Reads a board such as {@code ann 5, bob 3}, whose ranks are shared. */
  private static List<Line> board(String text) {
    var lines = new ArrayList<Line>();
    for (String each : text.isEmpty() ? new String[0] : text.split(", ")) {
      long points = Long.parseLong(each.split(" ")[1]);
      Line last = lines.isEmpty() ? null : lines.get(lines.size() - 1);
      long rank = last != null && last.points() == points ? last.rank() : lines.size() + 1;
      lines.add(new Line(each.split(" ")[0], rank, points));
    }
    return lines;
  }

  private List<String> compare(String text) {
    return compare(board(text), MANY).moves().stream().map(RankComparisonTest::said).toList();
  }

  /** Compares with as many lines as are watched; the others are elsewhere. */
  private Found compare(List<Line> board, int maxMoves) {
    var top = new Top(exclusions, board.subList(0, Math.min(board.size(), watch.places())));
    var elsewhere = new HashMap<String, Line>();
    Set<String> gone = RankComparison.gone(seen, top);
    board.stream()
        .filter(line -> gone.contains(line.member()))
        .forEach(line -> elsewhere.put(line.member(), line));
    Found found = RankComparison.compare(watch, fewestWin, seen, top, elsewhere, now, maxMoves);
    seen = found.seen();
    return found;
  }

  private static String said(Move move) {
    String rank =
        (move.formerRank() == null ? "-" : move.formerRank())
            + ">"
            + (move.line() == null ? "-" : move.line().rank());
    return switch (move.kind()) {
      case ENTERED -> "+" + move.member() + " " + move.about() + " " + rank;
      case LEFT -> "-" + move.member() + " " + move.about() + " " + rank;
      case PASSED -> requireNonNull(move.by()).member() + " passed " + move.member() + " " + rank;
    };
  }

  @Test
  void theFirstComparisonStartsFromAnEmptyBoard() {
    assertThat(compare("ann 5, bob 3, cid 1")).containsExactly("+ann top-2 ->1", "+bob top-2 ->2");
    assertThat(compare("ann 5, bob 3, cid 1")).isEmpty();
  }

  @Test
  void whoLeavesComesBeforeWhoEntersInItsPlace() {
    compare("ann 5, bob 3, cid 1");
    assertThat(compare("ann 5, cid 4, bob 3")).containsExactly("-bob top-2 2>3", "+cid top-2 ->2");
  }

  @Test
  void eachBoundHasItsOwnFacts() {
    watch = new Watch(List.of(1L, 2L), List.of(4L), false);
    compare("ann 5, bob 3");
    assertThat(compare("cid 6, ann 5, bob 3"))
        .containsExactly(
            "-ann top-1 1>2",
            "+cid top-1 ->1",
            "-bob top-2 2>3",
            "+cid top-2 ->1",
            "+cid points-4 ->1");
  }

  @Test
  void whoIsNotRankedAnyMoreLeavesWithoutARank() {
    compare("ann 5, bob 3");
    exclusions = "1";
    assertThat(compare("bob 3")).containsExactly("-ann top-2 1>-");
  }

  @Test
  void pointsAreReachedAndTakenBack() {
    watch = new Watch(List.of(), List.of(5L), false);
    assertThat(compare("ann 5, bob 3")).containsExactly("+ann points-5 ->1");
    assertThat(compare("bob 6, ann 4")).containsExactly("-ann points-5 1>2", "+bob points-5 2>1");
  }

  @Test
  void whereTheFewestWinAtMostThosePointsAreReached() {
    watch = new Watch(List.of(), List.of(5L), false);
    fewestWin = true;
    assertThat(compare("ann 4, bob 5, cid 6"))
        .containsExactly("+ann points-5 ->1", "+bob points-5 ->2");
  }

  @Test
  void pointsThatTooManyHaveReachedAreNotWatchedAnyMore() {
    watch = new Watch(List.of(), List.of(5L), false);
    List<Line> all = new ArrayList<>(board("ann 9"));
    compare(all, MANY);
    IntStream.rangeClosed(2, Watch.MAX_PLACES).forEach(n -> all.add(new Line("m" + n, n, 5)));
    assertThat(compare(all, MANY).moves()).isEmpty();
    assertThat(compare("ann 9, bob 4")).as("for good").isEmpty();
  }

  @Test
  void theNearestOfThoseWhoPassedIsNamed() {
    watch = new Watch(List.of(4L), List.of(), true);
    compare("ann 5, bob 4, cid 3, dan 2");
    assertThat(compare("cid 7, dan 6, ann 5, bob 4"))
        .containsExactly("dan passed ann 1>3", "dan passed bob 2>4");
  }

  @Test
  void whereFewestWinPassingIsTheSame() {
    fewestWin = true;
    compare("ann 3, bob 4");
    assertThat(compare("bob 2, ann 3")).containsExactly("bob passed ann 1>2");
  }

  @Test
  void whoTiesOnABoardOfSharedRanksPassesNobody() {
    compare("ann 5, bob 3");
    assertThat(compare("ann 5, bob 5")).isEmpty();
    assertThat(compare("bob 6, ann 5")).as("from the tie").containsExactly("bob passed ann 1>2");
  }

  @Test
  void whoLosesPointsItselfWasPassedByNobody() {
    compare("ann 5, bob 3");
    assertThat(compare("bob 3, ann 2")).isEmpty();
  }

  @Test
  void anExclusionThatIsLiftedPassesNobody() {
    compare("ann 5, bob 3");
    exclusions = "1";
    assertThat(compare("zoe 9, ann 5, bob 3")).containsExactly("-bob top-2 2>3", "+zoe top-2 ->1");
  }

  @Test
  void whoLeavesTheLargestTopLeavesAndIsNotPassedToo() {
    compare("ann 5, bob 3, cid 1");
    assertThat(compare("ann 5, cid 4, bob 3")).noneMatch(said -> said.contains("passed"));
  }

  @Test
  void aMemberIsPassedOncePerMinuteAndTheLastOneIsNotForgotten() {
    watch = new Watch(List.of(9L), List.of(), true);
    compare("ann 5, bob 4, cid 3");
    assertThat(compare("bob 6, ann 5, cid 3")).containsExactly("bob passed ann 1>2");
    now = now.plusSeconds(30);
    assertThat(compare("bob 6, cid 6, ann 5")).isEmpty();
    assertThat(seen.nextPassed()).contains(now.plusSeconds(30));
    now = now.plus(Duration.ofSeconds(30).minusMillis(1));
    assertThat(compare("bob 6, cid 6, ann 5")).isEmpty();
    now = now.plusMillis(1);
    assertThat(compare("bob 6, cid 6, ann 5")).containsExactly("cid passed ann 2>3");
    assertThat(seen.nextPassed()).isEmpty();
  }

  @Test
  void whoHasPassedBackMeanwhileGetsNoFact() {
    watch = new Watch(List.of(9L), List.of(), true);
    compare("ann 5, bob 4, cid 3");
    compare("bob 6, ann 5, cid 3");
    now = now.plusSeconds(30);
    compare("bob 6, cid 6, ann 5");
    assertThat(compare("ann 7, bob 6, cid 6"))
        .containsExactly("ann passed bob 1>2", "ann passed cid 1>2");
    now = now.plusSeconds(30);
    assertThat(compare("ann 7, bob 6, cid 6")).isEmpty();
  }

  @Test
  void whoLeavesAndComesBackIsStillPassedOncePerMinute() {
    compare("ann 5, bob 4");
    assertThat(compare("bob 6, ann 5")).contains("bob passed ann 1>2");
    compare("bob 6, cid 6");
    compare("ann 9, bob 6");
    assertThat(compare("bob 10, ann 9")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void aMaximumDelaysMovesAndLosesNone(int maxMoves) {
    watch = new Watch(List.of(3L), List.of(), false);
    List<Line> first = board("ann 9, bob 8, cid 7");
    List<Line> last = board("dan 9, eve 8, ann 7");
    var members = new HashSet<String>();
    for (List<Line> board : List.of(first, last)) {
      boolean more = true;
      for (int round = 0; more; round++) {
        assertThat(round).isLessThan(20);
        Found found = compare(board, maxMoves);
        assertThat(found.moves()).hasSizeLessThanOrEqualTo(maxMoves);
        found.moves().forEach(move -> apply(members, move));
        more = found.more();
      }
    }
    assertThat(members).containsExactlyInAnyOrder("dan", "eve", "ann");
  }

  private static void apply(Set<String> members, Move move) {
    assertThat(
            move.kind() == Kind.ENTERED
                ? members.add(move.member())
                : members.remove(move.member()))
        .as("%s once", move)
        .isTrue();
  }

  /** After each comparison a receiver has the members of each bound, on any board. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aReceiverThatAppliesTheFactsHasEachBound(long seed) {
    var random = new Random(seed);
    watch = new Watch(List.of(2L, 5L), List.of(20L, 40L), true);
    fewestWin = random.nextBoolean();
    var known = new HashMap<String, Set<String>>();
    var passedAt = new HashMap<String, Instant>();
    var points = new HashMap<String, Long>();
    for (int round = 0; round < 300; round++) {
      int changes = random.nextInt(3);
      LongStream.range(0, changes)
          .forEach(n -> points.put("m" + random.nextInt(12), (long) random.nextInt(60)));
      if (random.nextInt(10) == 0) {
        points.remove("m" + random.nextInt(12));
      }
      now = now.plusSeconds(random.nextInt(20));
      List<Line> board = board(points);
      for (Move move : compare(board, MANY).moves()) {
        if (move.kind() == Kind.PASSED) {
          Instant last = passedAt.put(move.member(), now);
          assertThat(last == null || !now.isBefore(last.plusSeconds(60))).as("%s", move).isTrue();
          long rank = requireNonNull(move.line()).rank();
          assertThat(requireNonNull(move.by()).rank()).isLessThan(rank);
          assertThat(rank).isGreaterThan(requireNonNull(move.formerRank()));
        } else {
          apply(known.computeIfAbsent(move.about(), bound -> new HashSet<>()), move);
        }
      }
      assertBounds(board, known);
    }
    assertThat(passedAt).isNotEmpty();
  }

  private void assertBounds(List<Line> board, Map<String, Set<String>> known) {
    for (long top : watch.tops()) {
      assertThat(known.getOrDefault("top-" + top, Set.of()))
          .containsExactlyInAnyOrderElementsOf(
              board.stream().limit(top).map(Line::member).toList());
    }
    for (long bound : watch.points()) {
      assertThat(known.getOrDefault("points-" + bound, Set.of()))
          .containsExactlyInAnyOrderElementsOf(
              board.stream()
                  .filter(line -> fewestWin ? line.points() <= bound : line.points() >= bound)
                  .map(Line::member)
                  .toList());
    }
  }

  private List<Line> board(Map<String, Long> points) {
    Comparator<Map.Entry<String, Long>> better = Map.Entry.comparingByValue();
    List<Map.Entry<String, Long>> order =
        points.entrySet().stream()
            .sorted(
                (fewestWin ? better : better.reversed()).thenComparing(Map.Entry.comparingByKey()))
            .toList();
    var lines = new ArrayList<Line>();
    for (Map.Entry<String, Long> each : order) {
      Line last = lines.isEmpty() ? null : lines.get(lines.size() - 1);
      long rank = last != null && last.points() == each.getValue() ? last.rank() : lines.size() + 1;
      lines.add(new Line(each.getKey(), rank, each.getValue()));
    }
    return lines;
  }
}
