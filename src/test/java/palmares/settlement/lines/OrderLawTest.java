package palmares.settlement.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.period.Population;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Model;
import palmares.testing.RandomFacts;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Seeds;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** There is one order: Redis, SQL and a model in plain Java never disagree. */
@WorldTest
class OrderLawTest {
  private static final int FACTS = 120;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Shortfalls shortfalls;

  static LongStream seeds() {
    return Seeds.from1To(6);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void liveOrderSettledOrderAndModelAreEqual(long seed) {
    var chance = new RandomFacts(seed);
    RankMethod ranks = RankMethod.values()[(int) (seed % 3)];
    Board board = world.board(chance.rules().with("ranks: " + ranks.word()));
    Period period = world.open(board);
    Model model = chance.model();
    world.now(period.slot().endsAt());

    for (int taken = 0; taken < FACTS; ) {
      var some = chance.facts(period.slot(), FACTS - taken);
      var expected = some.stream().map(model::apply).toList();
      assertThat(world.take(some).stream().map(RandomFacts::word))
          .as("seed %d, %s", seed, chance)
          .isEqualTo(expected);
      taken += some.size();
    }

    var lines = model.lines(ranks);
    var live = chance.arrivals() ? lines.stream().map(Line::untimed).toList() : lines;
    assertThat(records.live(period)).as("live, seed %d, %s", seed, chance).isEqualTo(live);
    for (Line line : live) {
      assertThat(records.around(period, line.member(), 1))
          .as("around %s, seed %d", line.member(), seed)
          .isEqualTo(live.stream().filter(other -> near(line, other)).toList());
    }
    world.settle(period);
    assertThat(records.published(period)).as("settled, seed %d", seed).isEqualTo(lines);
    assertThat(records.verify().named()).as("verified, seed %d", seed).isEmpty();
  }

  private static boolean near(Line line, Line other) {
    return Math.abs(line.place() - other.place()) <= 1;
  }

  /** Two boards have the same members. A repeated like, and one that nobody did, change nothing. */
  @ParameterizedTest
  @CsvSource({
    "add, time, ann bob, 2, 4",
    "add, arrival, ann bob, 2, 4",
    "best, time, ann bob, 10, 3",
    "latest, arrival, bob ann, 10, 3"
  })
  void aLineIsOfTheEventsOfItsPeriodThatCount(
      String scoring, String tiebreak, String order, long points, long events) {
    boolean adds = scoring.equals("add");
    Rules rules = Rules.day().with("scoring: " + scoring).with("tiebreak: " + tiebreak);
    if (tiebreak.equals("arrival")) {
      rules.with("max-events: 100");
    }
    if (!adds) {
      rules.with("actions: { like: {} }");
    }
    List<Board> boards = List.of(world.board(rules), world.board(rules));
    List<Period> periods = boards.stream().map(world::open).toList();
    for (Board board : boards) {
      for (String member : List.of("ann", "bob", "ann")) {
        world.pass(Duration.ofSeconds(1));
        Fact like = Fact.by(member).on("post").to(board);
        world.take(adds ? like : like.with(5));
      }
      if (adds) {
        world.take(Fact.by("cid").on("post").to(board).undone());
      }
    }
    for (int i = 0; i < boards.size(); i++) {
      Period settled = world.settle(periods.get(i));
      assertThat(records.published(settled))
          .extracting(Line::member)
          .containsExactly(order.split(" "));
      Population journaled = shortfalls.journaled(settled, boards.get(i));
      assertThat(journaled).isEqualTo(new Population(2, points, events));
      assertThat(shortfalls.find(settled, journaled)).isEmpty();
    }
  }
}
