package palmares.api.reader.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.api.reader.lines.PeriodBoard.Section;
import palmares.live.board.LiveExclusions;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Model;
import palmares.testing.ModelRules;
import palmares.testing.RandomFacts;
import palmares.testing.Seeds;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * Every read of a board agrees with a sorted list, for random scorings, tiebreaks, score layouts,
 * rank methods and exclusions, while the period is open and once it is settled.
 */
@WorldTest
class PeriodBoardLawTest {
  private static final int FACTS = 60;
  private static final String STRANGER = "stranger";

  @Autowired private World world;
  @Autowired private PeriodBoards boards;
  @Autowired private Exclusions exclusions;
  @Autowired private LiveExclusions live;

  private Random random = new Random();
  private RandomFacts chance = new RandomFacts(0);
  private ModelRules rules = ModelRules.adding(Map.of(), 0, Duration.ZERO);
  private RankMethod ranks = RankMethod.UNIQUE;
  private Model model = new Model(rules);
  private boolean excludes;
  private final Map<String, ExclusionLevel> levels = new HashMap<>();

  static LongStream seeds() {
    return Seeds.from1To(6);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyReadAgreesWithTheSortedList(long seed) {
    random = new Random(seed);
    excludes = seed % 2 == 0;
    chance = new RandomFacts(seed);
    rules = chance.goesBy();
    ranks = RankMethod.values()[(int) (seed % 3)];
    model = chance.model();
    Period period = world.open(world.board(chance.rules().with("ranks: " + ranks.word())));
    world.now(period.slot().endsAt());

    assertAnswers(period);
    exclude();
    happen(period);
    assertAnswers(period);
    assertNextPageStartsBelowTheLast(period);
    lift();
    exclude();
    assertAnswers(period);
    assertAnswers(world.settle(period));
  }

  /** Excludes some members on every second seed, with or without a line. */
  private void exclude() {
    for (String member : RandomFacts.members()) {
      if (excludes && random.nextInt(4) == 0 && !levels.containsKey(member)) {
        ExclusionLevel level = ExclusionLevel.values()[random.nextInt(3)];
        exclusions.exclude(Terms.always(new MemberId(member), level), "a law", "test");
        levels.put(member, level);
      }
    }
    live.updateAll();
  }

  private void lift() {
    for (Exclusion made : exclusions.page(null, null, true, null, 1_000)) {
      String member = made.terms().member().value();
      if (made.lift() == null && random.nextInt(3) == 0) {
        exclusions.lift(made.id(), "a law", "test");
        levels.remove(member);
      }
    }
    live.updateAll();
  }

  private boolean ranked(String member) {
    return levels.getOrDefault(member, ExclusionLevel.NO_PRIZE) == ExclusionLevel.NO_PRIZE;
  }

  private List<Line> ranked() {
    return model.lines(ranks, this::ranked);
  }

  private void happen(Period period) {
    List<Fact> facts = chance.facts(period.slot(), random.nextInt(FACTS) + 1);
    facts.forEach(model::apply);
    world.take(facts);
  }

  /** Returns the expected lines. Live lines have no time where arrival breaks ties. */
  private List<Line> lines(PeriodBoard board) {
    return lines(board, ranked());
  }

  private List<Line> lines(PeriodBoard board, List<Line> lines) {
    boolean untimed = chance.arrivals() && board instanceof LiveBoard;
    return untimed ? lines.stream().map(Line::untimed).toList() : lines;
  }

  private void assertAnswers(Period period) {
    PeriodBoard board = boards.of(world.again(period));
    List<Line> all = lines(board);
    int count = 1 + random.nextInt(4);
    assertLines(board.top(count), all.stream().limit(count).toList());
    assertThat(allPages(board, count)).as("%s", chance).isEqualTo(all);
    for (int rank = 1; rank <= all.size() + 2; rank++) {
      int least = rank;
      assertLines(
          board.fromRank(rank, count),
          all.stream().filter(line -> line.rank() >= least).limit(count).toList());
      assertHolding(board, rank, all);
      assertNeeded(board, rank, all);
    }
    all.forEach(line -> assertStanding(board, line, all));
    assertUnranked(board);
    assertFound(board, all);
    assertEntriesAreNotMembers(board, all);
  }

  private List<Line> allPages(PeriodBoard board, int count) {
    var lines = new ArrayList<Line>();
    for (Section page = board.top(count);
        !page.lines().isEmpty() && lines.size() <= page.members();
        page = board.after(Objects.requireNonNull(page.end()), count)) {
      page.lines().forEach(line -> lines.add(line(line)));
    }
    return lines;
  }

  private void assertHolding(PeriodBoard board, int rank, List<Line> all) {
    boolean dense = ranks == RankMethod.DENSE;
    var expected =
        all.stream()
            .filter(line -> dense ? line.rank() == rank : line.place() == rank)
            .limit(1)
            .toList();
    assertLines(board.holding(rank), expected);
  }

  /** With the needed points a new member has the rank, but not with one point less. */
  private void assertNeeded(PeriodBoard board, int rank, List<Line> all) {
    Long needed = board.needed(board.holding(rank));
    if (board instanceof SettledBoard) {
      assertThat(needed).isNull();
      return;
    }
    boolean fewestWin = rules.scoring().equals("lowest-best");
    long enough = needed == null ? fewestWin ? -1 : rules.maxPoints() + 1 : needed;
    long less = enough + (fewestWin ? 1 : -1);
    assertThat(rankOfNewMember(enough, all)).as("%s", chance).isLessThanOrEqualTo(rank);
    if (less >= 0 && less <= rules.maxPoints()) {
      assertThat(rankOfNewMember(less, all)).as("%s", chance).isGreaterThan(rank);
    }
  }

  /** Returns the rank of a new member with the worst second key. */
  private long rankOfNewMember(long points, List<Line> all) {
    var newcomer = new Line(0, 0, STRANGER, points, rules.fewest() ? rules.maxThen() : 0, null);
    int equal = ranks == RankMethod.UNIQUE ? 1 : 0;
    var ahead = all.stream().filter(line -> level().compare(line, newcomer) < equal);
    return 1
        + (ranks == RankMethod.DENSE ? ahead.map(Line::rank).distinct().count() : ahead.count());
  }

  private void assertStanding(PeriodBoard board, Line line, List<Line> all) {
    var standing = board.member(new MemberId(line.member())).orElseThrow();
    assertThat(line(standing.line())).isEqualTo(line);
    assertThat(standing.members()).isEqualTo(all.size());
    long ahead =
        ranks == RankMethod.UNIQUE
            ? line.place() - 1
            : all.stream().filter(other -> level().compare(other, line) < 0).count();
    assertThat(standing.ahead()).isEqualTo(ahead);
    assertLines(
        board.around(new MemberId(line.member()), 2),
        all.stream().filter(other -> Math.abs(other.place() - line.place()) <= 2).toList());
  }

  /** Unranked members have a line without rank and neighbours; hidden ones have none. */
  private void assertUnranked(PeriodBoard board) {
    for (Line line : unranked(board)) {
      var member = new MemberId(line.member());
      var standing = board.member(member).orElseThrow();
      assertThat(line(standing.line())).isEqualTo(line);
      assertThat(standing.ahead()).isNull();
      assertThat(standing.line().excluded()).isEqualTo("unranked");
      assertThat(standing.members()).isEqualTo(ranked().size());
      assertLines(board.around(member, 2), List.of(line));
    }
    for (Line line : model.lines(ranks, member -> levels.get(member) == ExclusionLevel.HIDDEN)) {
      var member = new MemberId(line.member());
      assertThat(board.member(member)).isEmpty();
      assertLines(board.around(member, 2), List.of());
      assertLines(board.find(List.of(member)), List.of());
    }
  }

  private List<Line> unranked(PeriodBoard board) {
    var lines = model.lines(ranks, member -> levels.get(member) == ExclusionLevel.UNRANKED);
    return lines(board, lines).stream()
        .map(line -> new Line(0, 0, line.member(), line.points(), line.thenBy(), line.reachedAt()))
        .toList();
  }

  private void assertFound(PeriodBoard board, List<Line> all) {
    var known = Stream.concat(all.stream(), unranked(board).stream()).toList();
    var some = known.stream().filter(line -> random.nextBoolean()).toList();
    var asked = new ArrayList<>(some.stream().map(Line::member).map(MemberId::new).toList());
    asked.add(new MemberId(STRANGER));
    Collections.shuffle(asked, random);
    assertLines(board.find(asked), some);
    assertLines(board.find(List.of()), List.of());
    assertThat(board.member(new MemberId(STRANGER))).isEmpty();
    assertLines(board.around(new MemberId(STRANGER), 2), List.of());
  }

  /** On a wide board, entries are not named like members. */
  private void assertEntriesAreNotMembers(PeriodBoard board, List<Line> all) {
    Stream.of(board.top(1).end())
        .flatMap(end -> end == null ? Stream.empty() : Stream.of(end.position().entry()))
        .filter(entry -> all.stream().noneMatch(line -> line.member().equals(entry)))
        .filter(entry -> unranked(board).stream().noneMatch(line -> line.member().equals(entry)))
        .forEach(entry -> assertThat(board.member(new MemberId(entry))).isEmpty());
  }

  private void assertNextPageStartsBelowTheLast(Period period) {
    PeriodBoard board = boards.of(period);
    Section page = board.top(3);
    happen(period);
    exclude();
    // Where arrival breaks ties, lines do not contain their order among equal ones.
    if (page.end() != null && !chance.arrivals()) {
      Line last = line(page.lines().get(page.lines().size() - 1));
      assertLines(
          board.after(page.end(), 100),
          lines(board).stream().filter(line -> order().compare(line, last) > 0).toList());
    }
  }

  private void assertLines(Section section, List<Line> expected) {
    assertThat(section.lines().stream().map(PeriodBoardLawTest::line))
        .as("%s", chance)
        .isEqualTo(expected);
    assertThat(section.members()).isEqualTo(ranked().size());
  }

  private Comparator<Line> level() {
    var points = Comparator.comparing(Line::points);
    var then = Comparator.comparing(Line::thenBy);
    return (rules.scoring().equals("lowest-best") ? points : points.reversed())
        .thenComparing(rules.fewest() ? then : then.reversed());
  }

  private Comparator<Line> order() {
    return level()
        .thenComparing(line -> Objects.requireNonNull(line.reachedAt()))
        .thenComparing(line -> utf8(line.member()), (a, b) -> Arrays.compareUnsigned(b, a));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Line line(LineView line) {
    long then = line.thenBy() == null ? 0 : line.thenBy();
    return new Line(
        line.place() == null ? 0 : line.place(),
        line.rank() == null ? 0 : line.rank(),
        line.member(),
        line.points(),
        then,
        line.reachedAt());
  }
}
