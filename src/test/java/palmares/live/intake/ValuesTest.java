package palmares.live.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveBoards;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.period.Period;
import palmares.period.Population;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What boards with values, second keys or a limit of events take and refuse. */
@WorldTest
class ValuesTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private LiveBoards live;

  private static Rules race() {
    return Rules.day()
        .with("actions:\n  run: {}")
        .with("scoring: lowest-best")
        .with("max-points: 1000")
        .with("then-by: { name: attempts, max: 9 }")
        .with("rewards:\n  - rule: prize\n    ranks: { 1: 50, 2: 20 }");
  }

  private static Fact run(String member, long millis, long attempts) {
    return Fact.by(member).does("run").with(millis).then(attempts);
  }

  @Test
  void theFewestWinThenTheFewestOfTheSecondKeyThenTheEarlier() {
    Period today = world.open(world.board(race().with("ranks: competition")));
    for (Fact fact :
        List.of(run("ann", 90, 3), run("bob", 80, 2), run("eve", 80, 1), run("kim", 80, 1))) {
      assertThat(world.take(fact).kind()).isEqualTo(Kind.APPLIED);
    }
    assertThat(world.take(run("ann", 85, 9)).boards().get(0).change()).isEqualTo(-5);
    assertThat(world.take(run("bob", 80, 3)).reason()).isEqualTo(RefusalReason.NOT_BETTER);
    assertThat(world.take(run("zed", 0, 9)).kind()).as("no time at all").isEqualTo(Kind.APPLIED);

    assertThat(records.live(today).stream().map(line -> line.rank() + " " + line.member()))
        .containsExactly("1 zed", "2 kim", "2 eve", "4 bob", "5 ann");
    world.settle(today);
    assertThat(records.paid(today))
        .isEqualTo(Map.of("zed prize", 50L, "kim prize", 20L, "eve prize", 20L));
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anAttemptThatImprovesNothingUsesUpWhatCountsOnce() {
    Period today =
        world.open(
            world.board(
                Rules.day()
                    .with("actions:\n  run: { once-per: subject }")
                    .with("scoring: best")
                    .with("max-points: 1000")));
    Fact run = Fact.by("ann").does("run");
    world.take(run.on("heat 1").with(50));
    assertReason(run.on("heat 2").with(40).again(), RefusalReason.NOT_BETTER);
    assertReason(run.on("heat 2").with(60).again(), RefusalReason.REPEATED);
    assertThat(records.points(today, "ann")).isEqualTo(50);
    world.settle(today);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aBetterResultReplacesValueAndSecondKeyTogether() {
    Period today =
        world.open(
            world.board(
                race()
                    .with("scoring: best")
                    .with("then-by: { name: lives, max: 9, wins: most }")
                    .with("ranks: dense")));
    world.take(run("ann", 50, 2));
    assertReason(run("ann", 49, 9), RefusalReason.NOT_BETTER);
    assertReason(run("ann", 50, 1), RefusalReason.NOT_BETTER);
    assertThat(records.live(today).get(0).thenBy()).isEqualTo(2);
    assertThat(world.take(run("ann", 50, 3)).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.live(today).get(0).thenBy()).isEqualTo(3);
    assertThat(world.take(run("ann", 60, 0)).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.live(today).get(0).thenBy()).isZero();

    world.take(run("bob", 60, 1));
    assertThat(records.live(today).stream().map(line -> line.rank() + " " + line.member()))
        .as("equal points, another second key")
        .containsExactly("1 bob", "2 ann");
  }

  @Test
  void numbersThatABoardNeedsMustBePresentWithinBoundsAndUsed() {
    Board race = world.board(race());
    Board sums = world.board(Rules.day());
    assertReason(Fact.by("ann").does("run").then(1), RefusalReason.MISSING_FIELD);
    assertReason(Fact.by("ann").does("run").with(1), RefusalReason.MISSING_FIELD);
    assertReason(run("ann", 1001, 1), RefusalReason.MAX_POINTS);
    assertReason(run("ann", 1000, 10), RefusalReason.MAX_THEN_BY);
    assertReason(Fact.by("ann").with(1).to(sums), RefusalReason.INVALID_FIELD);
    assertReason(Fact.by("ann").then(1).to(sums), RefusalReason.INVALID_FIELD);
    assertReason(run("ann", 1, 1).times(2), RefusalReason.MAX_QUANTITY);
    assertThat(records.live(world.open(race))).isEmpty();
    assertThat(records.live(world.open(sums))).isEmpty();
  }

  @Test
  void aSecondKeyAddsUpAsPointsDoAndItsMaximumIsNeverExceeded() {
    Period today = world.open(world.board(Rules.day().with("then-by: { name: penalty, max: 10 }")));
    Fact first = Fact.by("ann").on("a").then(6);
    world.take(first);
    Fact more = Fact.by("ann").on("b").then(5);
    assertReason(more, RefusalReason.MAX_THEN_BY);
    assertThat(world.take(more).boards().get(0)).returns(0L, OnBoard::change);
    assertThat(world.take(more).boards().get(0)).returns(1L, OnBoard::points);
    world.take(Fact.by("ann").on("b").then(4));
    assertThat(records.live(today).get(0).thenBy()).isEqualTo(10);
    world.take(first.undone());
    assertThat(records.live(today).get(0).thenBy()).isEqualTo(4);
    assertThat(records.live(today).get(0).points()).isEqualTo(1);
  }

  @Test
  void aBoardAtMaxEventsRefusesTheNextAndRecognizesRepeats() {
    Period today =
        world.open(world.board(Rules.day().with("tiebreak: arrival").with("max-events: 2")));
    Fact first = Fact.by("ann").on("a");
    world.take(first);
    assertReason(Fact.by("bob").on("a").undone(), RefusalReason.NOTHING_TO_UNDO);
    assertReason(Fact.by("bob").on("a"), RefusalReason.MAX_EVENTS);
    assertThat(world.take(first).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(records.points(today, "bob")).isZero();
    world.settle(today);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void pointsThatOverflowTheSumAreRefusedBeforeAnythingIsWritten() {
    long most = (1L << 53) - 1;
    Period today =
        world.open(
            world.board(
                Rules.day()
                    .with("actions:\n  run: {}")
                    .with("scoring: best")
                    .with("max-points: " + most)));
    var facts =
        IntStream.range(0, 1_030).mapToObj(i -> Fact.by("m" + i).does("run").with(most)).toList();

    var outcomes = world.take(facts);

    assertThat(outcomes.subList(0, 1_023)).allMatch(outcome -> outcome.kind() == Kind.APPLIED);
    assertThat(outcomes.subList(1_023, 1_030))
        .allMatch(outcome -> outcome.reason() == RefusalReason.MAX_POINTS);
    assertThat(records.live(today)).hasSize(1_023);
    world.settle(today);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void pointsAddUpExactlyBeyondWhatADoubleHolds() {
    long most = (1L << 53) - 1;
    Period today =
        world.open(
            world.board(
                Rules.day()
                    .with("actions:\n  run: {}")
                    .with("scoring: latest")
                    .with("max-points: " + most)));
    world.take(Fact.by("ann").does("run").with(most));
    for (String member : List.of("bob", "cid", "dan")) {
      world.take(Fact.by(member).does("run").with(1));
    }
    world.take(Fact.by("ann").does("run").with(3));

    assertThat(live.seal(today)).contains(new Population(4, 6, 5));
  }

  @Test
  void anOpenPeriodKeepsTheRulesThatItOpenedUnder() {
    Board board = world.board(race());
    Period today = world.open(board);
    world.take(run("ann", 90, 1));
    Board edited = world.edit(board, Rules.day().with("actions:\n  run: 1"));

    assertThat(world.take(run("ann", 80, 1).to(edited)).kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(today, "ann")).isEqualTo(80);
  }

  @Test
  void theIdOfALateEventIsStoredForItsFirstEventOnly() {
    Board board = world.board(Rules.day());
    Period today = world.open(board);
    world.take(Fact.by("ann"));
    world.settle(today);
    Fact late = Fact.by("ann").at(today.slot().startsAt());
    Board byEvents = world.edit(board, Rules.day().with("clock: event"));

    assertThat(world.take(late.to(byEvents)).kind()).isEqualTo(Kind.LATE);
    assertThat(world.take(late.to(byEvents)).kind()).isEqualTo(Kind.LATE);
    Fact other = Fact.by("bob").at(today.slot().startsAt()).named(late.id());
    assertReason(other.to(byEvents), RefusalReason.CONFLICTING_ID);
    assertThat(records.number("select count(*) from late_event")).isEqualTo(1);
  }

  @Test
  void noMemberUndoesTheActionOfAnother() {
    Period today = world.open(world.board(Rules.day()));
    Fact like = Fact.by("ann").on("a");
    world.take(like);
    assertReason(Fact.by("bob").on("a").undone(), RefusalReason.NOTHING_TO_UNDO);
    world.take(like.undone());
    assertReason(like.undone(), RefusalReason.NOTHING_TO_UNDO);
    assertThat(records.points(today, "ann")).isZero();
  }

  private void assertReason(Fact fact, RefusalReason reason) {
    EventOutcome outcome = world.take(fact);
    assertThat(outcome.kind()).as("%s", outcome).isEqualTo(Kind.REFUSED);
    assertThat(outcome.reason()).as("%s", outcome).isEqualTo(reason);
  }
}
