package palmares.settlement.watch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.Watch;
import palmares.settlement.watch.Move.Bound;
import palmares.settlement.watch.Move.Kind;
import palmares.settlement.watch.Move.Line;
import palmares.settlement.watch.SeenBoard.Passed;

/**
 * Compares the watched places of a board with those that were seen before. Tops count places, so a
 * tie at the last of them is decided by the board's order; passing counts ranks, so equal ones pass
 * nobody.
 */
final class RankComparison {
  private final Watch watch;
  private final boolean fewestWin;
  private final SeenBoard before;
  private final Instant now;
  private final Map<String, Line> present = new HashMap<>();
  private final Map<String, Line> former = new HashMap<>();
  private final List<Move> moves = new ArrayList<>();
  private int left;
  private boolean more;

  private RankComparison(
      Watch watch, boolean fewestWin, SeenBoard before, Instant now, int maxMoves) {
    this.watch = watch;
    this.fewestWin = fewestWin;
    this.before = before;
    this.now = now;
    this.left = maxMoves;
    before.lines().forEach(line -> former.put(line.member(), line));
  }

  /**
   * A board as it is now.
   *
   * @param exclusions the number of its list of exclusions
   * @param lines its watched places in their order
   */
  record Top(String exclusions, List<Line> lines) {
    Top {
      lines = List.copyOf(lines);
    }
  }

  /**
   * What a comparison has found.
   *
   * @param moves in the order of their facts
   * @param more whether the maximum was reached: the next comparison finds the others
   */
  record Found(List<Move> moves, SeenBoard seen, boolean more) {}

  /**
   * Compares a board with what was seen before.
   *
   * @param fewestWin whether fewer points are better
   * @param elsewhere lines of members who are not among the watched places any more, as far as they
   *     have one
   * @param maxMoves the most moves that are found
   */
  static Found compare(
      Watch watch,
      boolean fewestWin,
      SeenBoard before,
      Top top,
      Map<String, Line> elsewhere,
      Instant now,
      int maxMoves) {
    return new RankComparison(watch, fewestWin, before, now, maxMoves).compare(top, elsewhere);
  }

  /** The members who were inside a bound and have no line among the watched places any more. */
  static Set<String> gone(SeenBoard before, Top top) {
    Set<String> gone = new LinkedHashSet<>();
    before.inside().values().forEach(gone::addAll);
    top.lines().forEach(line -> gone.remove(line.member()));
    return gone;
  }

  private Found compare(Top top, Map<String, Line> elsewhere) {
    top.lines().forEach(line -> present.put(line.member(), line));
    SortedMap<String, SortedSet<String>> inside = new TreeMap<>();
    SortedSet<String> full = new TreeSet<>(before.full());
    for (long places : watch.tops()) {
      List<Line> lines = top.lines().subList(0, (int) Math.min(places, top.lines().size()));
      compare(new Bound(true, places), lines, elsewhere, inside);
    }
    for (long points : watch.points()) {
      var bound = new Bound(false, points);
      List<Line> lines =
          top.lines().stream().filter(line -> reaches(line.points(), points)).toList();
      if (lines.size() == Watch.MAX_PLACES) {
        full.add(bound.word());
      }
      if (!full.contains(bound.word())) {
        compare(bound, lines, elsewhere, inside);
      }
    }
    SortedMap<String, Passed> passed = new TreeMap<>();
    if (watch.passed()) {
      findPassed(top, passed);
    }
    return new Found(
        List.copyOf(moves),
        new SeenBoard(top.exclusions(), top.lines(), inside, full, passed),
        more);
  }

  private boolean reaches(long points, long threshold) {
    return fewestWin ? points <= threshold : points >= threshold;
  }

  /**
   * Those who left come first, so that a receiver that applies the facts in order never has too
   * many.
   */
  private void compare(
      Bound bound,
      List<Line> lines,
      Map<String, Line> elsewhere,
      SortedMap<String, SortedSet<String>> inside) {
    SortedSet<String> known =
        new TreeSet<>(before.inside().getOrDefault(bound.word(), new TreeSet<>()));
    Set<String> members = lines.stream().map(Line::member).collect(Collectors.toSet());
    for (String member : List.copyOf(known)) {
      if (!members.contains(member)) {
        Line line = present.getOrDefault(member, elsewhere.get(member));
        if (add(new Move(Kind.LEFT, member, bound, null, formerRank(member), line))) {
          known.remove(member);
        }
      }
    }
    for (Line line : lines) {
      if (!known.contains(line.member())
          && add(
              new Move(
                  Kind.ENTERED, line.member(), bound, null, formerRank(line.member()), line))) {
        known.add(line.member());
      }
    }
    inside.put(bound.word(), known);
  }

  private boolean add(Move move) {
    if (left == 0) {
      more = true;
      return false;
    }
    left--;
    return moves.add(move);
  }

  private @Nullable Long formerRank(String member) {
    Line line = former.get(member);
    return line == null ? null : line.rank();
  }

  /**
   * Finds who was passed. Exclusions move members whom nobody has passed, so that none is found in
   * a comparison in which they differ.
   */
  private void findPassed(Top top, SortedMap<String, Passed> passed) {
    int places = Math.min(watch.largestTop(), top.lines().size());
    boolean played = top.exclusions().equals(before.exclusions());
    for (int place = 0; place < places; place++) {
      Line line = top.lines().get(place);
      Passed known = before.passed().get(line.member());
      Passed pending = stillBehind(line, known);
      Line by = played ? passer(top.lines(), place) : null;
      if (by != null) {
        Line was = former.get(line.member());
        long rank = pending == null && was != null ? was.rank() : formerRankOf(pending);
        pending = new Passed(known == null ? null : known.at(), by.member(), rank);
      }
      if (pending != null && pending.by() != null && rankIsWorse(line, pending)) {
        passed.put(line.member(), say(line, pending));
      } else if (known != null && !known.isDue(now)) {
        passed.put(line.member(), new Passed(known.at(), null, 0));
      }
    }
    keepPauses(passed);
  }

  private static boolean rankIsWorse(Line line, Passed pending) {
    return line.rank() > pending.formerRank();
  }

  private static long formerRankOf(@Nullable Passed pending) {
    return pending == null ? 0 : pending.formerRank();
  }

  /** Members who left meanwhile may come back within their pause. */
  private void keepPauses(SortedMap<String, Passed> passed) {
    before
        .passed()
        .forEach(
            (member, known) -> {
              if (!passed.containsKey(member) && known.at() != null && !known.isDue(now)) {
                passed.put(member, new Passed(known.at(), null, 0));
              }
            });
  }

  /** What no fact says yet, if it is still true. */
  private @Nullable Passed stillBehind(Line line, @Nullable Passed known) {
    Line by = known == null || known.by() == null ? null : present.get(known.by());
    return by != null && by.rank() < line.rank() ? known : null;
  }

  /**
   * Returns the nearest member ahead who was not ahead before; null if there is none, or the member
   * has lost points itself.
   */
  private @Nullable Line passer(List<Line> lines, int place) {
    Line line = lines.get(place);
    Line was = former.get(line.member());
    if (was == null || line.rank() <= was.rank() || isWorse(line.points(), was.points())) {
      return null;
    }
    for (int ahead = place - 1; ahead >= 0; ahead--) {
      Line other = lines.get(ahead);
      Line otherWas = former.get(other.member());
      if (other.rank() < line.rank() && (otherWas == null || otherWas.rank() >= was.rank())) {
        return other;
      }
    }
    return null;
  }

  private boolean isWorse(long points, long before) {
    return fewestWin ? points > before : points < before;
  }

  /** Says that the member was passed, or keeps it for the next comparison that may say so. */
  private Passed say(Line line, Passed pending) {
    boolean said =
        pending.isDue(now)
            && add(
                new Move(
                    Kind.PASSED,
                    line.member(),
                    null,
                    present.get(pending.by()),
                    pending.formerRank(),
                    line));
    return said ? new Passed(now, null, 0) : pending;
  }
}
