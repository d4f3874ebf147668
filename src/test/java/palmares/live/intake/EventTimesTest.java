package palmares.live.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveBoardGone;
import palmares.live.intake.EventOutcome.Kind;
import palmares.period.ImportRuns;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Which period an event counts for, and until when. */
@WorldTest
class EventTimesTest {
  private static final Duration GRACE = Duration.ofMinutes(10);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private ImportRuns imports;

  @Test
  void atTheBoundaryAMillisecondDecidesThePeriod() {
    Board board = world.board(Rules.day().with("clock: event"));
    Instant midnight = Instant.parse("2026-11-20T00:00:00Z");
    world.now(midnight.plusSeconds(60));
    assertThat(periodOf(Fact.by("ann").at(midnight.minusMillis(1)))).isEqualTo("2026-11-19");
    assertThat(periodOf(Fact.by("ann").at(midnight))).isEqualTo("2026-11-20");
    assertThat(records.live(world.period(board, "2026-11-19"))).hasSize(1);
  }

  @Test
  void anEventBeforeTheEndThatArrivesWithinTheGraceCounts() {
    Board board = world.board(Rules.day().with("clock: event"));
    Period day = world.open(board);
    Instant last = day.slot().endsAt().minusMillis(1);
    world.now(day.slot().endsAt().plus(GRACE).minusNanos(1_000));
    assertThat(world.take(Fact.by("ann").at(last)).kind()).isEqualTo(Kind.APPLIED);
    world.now(day.slot().endsAt().plus(GRACE));
    assertLate(Fact.by("bob").at(last));
  }

  @Test
  void anEditedZoneAppliesFromTheEndOfTheOpenPeriodsAndNoEventIsLost() {
    Board board = world.board(Rules.day());
    world.open(board);
    Instant end = world.slot(board).endsAt();
    world.edit(board, Rules.day().with("zone: Pacific/Honolulu"));
    assertThat(periodOf(Fact.by("ann")))
        .as("the open period keeps its zone")
        .isEqualTo("2026-11-20");

    world.now(end.plusSeconds(1));
    assertThat(periodOf(Fact.by("bob")))
        .as("what is left of 20 November in Honolulu joins the 21st")
        .isEqualTo("2026-11-21");
    world.now(Instant.parse("2026-11-22T10:00:00Z"));
    assertThat(periodOf(Fact.by("bob"))).as("midnight in Honolulu").isEqualTo("2026-11-22");
  }

  @Test
  void anEventOfATickBeforeLeavesWhenThePointsWereReached() {
    Period day = world.open(world.board(Rules.day().with("clock: event")));
    world.take(Fact.by("ann").on("a").at(world.now()));
    world.take(Fact.by("ann").on("b").at(world.now().minusMillis(1)));
    assertThat(records.live(day).get(0).reachedAt()).isEqualTo(world.now());
  }

  @Test
  void anIdIsUniqueWithinAPeriodOnly() {
    Board board = world.board(Rules.day().with("clock: event"));
    Fact monday = Fact.by("ann").at(world.now());
    world.take(monday);
    world.pass(Duration.ofDays(1));
    EventOutcome next = world.take(Fact.by("ann").named(monday.id()).at(world.now()));
    assertThat(next.kind()).isEqualTo(Kind.APPLIED);
    assertThat(records.points(world.open(board), "ann")).isOne();
  }

  @Test
  void aLateEventIsStoredOnceAndDoesNotCount() {
    Board board = world.board(Rules.day().with("clock: event"));
    Period day = world.open(board);
    world.take(Fact.by("ann").at(world.now()));
    Fact late = Fact.by("bob").on("post").at(day.slot().endsAt().minusMillis(1));
    world.settle(day);
    assertLate(late);
    assertLate(late);
    assertThat(records.words("select id from late_event where period = '2026-11-20'"))
        .containsExactly(late.id());
    assertThat(records.published(day)).hasSize(1);
  }

  @Test
  void anEventOfAPeriodThatWasNotOpenedInTimeIsLate() {
    world.board(Rules.day().with("clock: event"));
    assertLate(Fact.by("ann").at(Instant.parse("2026-11-01T00:00:00Z")));
    assertThat(records.words("select period from late_event")).containsExactly("2026-11-01");
    assertThat(records.words("select name from period")).isEmpty();
  }

  @Test
  void aDuplicateGetsTheFirstResultAfterTheSealAndAfterTheKeysAreGone() {
    Board board = world.board(Rules.day().with("clock: event").with("retention: 1 day"));
    Fact like = Fact.by("ann").on("post").at(world.now());
    Fact repeat = like.again();
    world.take(List.of(like, repeat));
    Period day = world.open(board);
    world.settle(day);
    assertDuplicates(like, repeat);
    servers.flush();
    assertDuplicates(like, repeat);
    assertThat(records.number("select count(*) from late_event")).isZero();
  }

  private void assertDuplicates(Fact like, Fact repeat) {
    var again = world.take(List.of(like, repeat));
    assertThat(again.stream().map(EventOutcome::kind)).containsOnly(Kind.DUPLICATE);
    assertThat(again.get(0).boards().get(0).change()).isEqualTo(1);
    assertThat(again.get(1).reason()).isEqualTo(RefusalReason.REPEATED);
  }

  @Test
  void aBoardWithTheServersClockMovesToTheNextPeriod() {
    Board board = world.board(Rules.day());
    Period first = world.open(board);
    assertThat(periodOf(Fact.by("ann").at(first.slot().startsAt()))).isEqualTo("2026-11-20");
    world.now(first.slot().endsAt().minusNanos(1_000));
    assertThat(periodOf(Fact.by("ann"))).isEqualTo("2026-11-20");
    world.now(first.slot().endsAt());
    assertThat(periodOf(Fact.by("ann"))).isEqualTo("2026-11-21");
    assertThat(records.points(first, "ann")).isEqualTo(2);
  }

  @Test
  void anUndoInTheNextPeriodTakesNothingBack() {
    Board board = world.board(Rules.day());
    Period first = world.open(board);
    Fact like = Fact.by("ann").on("post");
    world.take(like);
    world.now(first.slot().endsAt());
    assertThat(world.take(like.undone()).reason()).isEqualTo(RefusalReason.NOTHING_TO_UNDO);
    assertThat(records.points(first, "ann")).isEqualTo(1);
  }

  @Test
  void aBoardWithTheEventsClockNeedsATimeThatIsNotInTheFuture() {
    world.board(Rules.day().with("clock: event"));
    assertThat(world.take(Fact.by("ann")).reason()).isEqualTo(RefusalReason.MISSING_TIME);
    Instant skewed = world.now().plusSeconds(10);
    assertThat(world.take(Fact.by("ann").at(skewed)).kind()).isEqualTo(Kind.APPLIED);
    assertThat(world.take(Fact.by("ann").at(skewed.plusMillis(1))).reason())
        .isEqualTo(RefusalReason.FUTURE_TIME);
  }

  @Test
  void betweenSeasonsThereIsNoPeriod() {
    world.board(
        Rules.of("seasons")
            .with("clock: event")
            .with("seasons: [{ name: autumn, from: 2026-09-01, to: 2026-11-19 }]"));
    assertThat(world.take(Fact.by("ann").at(world.now())).reason())
        .isEqualTo(RefusalReason.NO_PERIOD);
  }

  @Test
  void oneEventFeedsDayAndMonthAndARetryCompletesIt() {
    Board day = world.board(Rules.day());
    Board month = world.board(Rules.of("month"));
    Fact like = Fact.by("ann").on("post");
    assertThat(world.take(like.to(day)).kind()).isEqualTo(Kind.APPLIED);

    EventOutcome retried = world.take(like);
    assertThat(retried.kind()).isEqualTo(Kind.APPLIED);
    assertThat(retried.boards())
        .extracting(EventOutcome.OnBoard::board, EventOutcome.OnBoard::kind)
        .containsExactlyInAnyOrder(
            tuple(day.id(), Kind.DUPLICATE), tuple(month.id(), Kind.APPLIED));
    assertThat(world.take(like).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(records.points(world.open(day), "ann")).isEqualTo(1);
    assertThat(records.points(world.open(month), "ann")).isEqualTo(1);
  }

  private static final String AUTUMN =
      "seasons: [{ name: autumn, from: 2026-09-01, to: 2026-11-20 }]";

  @Test
  void aRepeatIsADuplicateAlthoughAnotherBoardHasNoPeriod() {
    world.board(Rules.day().with("clock: event"));
    world.board(
        Rules.of("seasons").with("clock: event").with(AUTUMN.replace("2026-11-20", "2026-11-19")));
    Fact like = Fact.by("ann").at(world.now());
    assertThat(world.take(like).kind()).isEqualTo(Kind.APPLIED);
    EventOutcome again = world.take(like);
    assertThat(again.kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(again.reason()).isNull();
    assertThat(again.boards())
        .extracting(EventOutcome.OnBoard::kind)
        .containsExactlyInAnyOrder(Kind.REFUSED, Kind.DUPLICATE);
  }

  @Test
  void aRepeatIsADuplicateAlthoughAnotherBoardRefusesIt() {
    world.board(Rules.day());
    world.board(Rules.day().with("actions: { like: { points: 1, once-per: day } }"));
    world.take(Fact.by("ann"));
    Fact second = Fact.by("ann");
    assertThat(world.take(second).kind()).isEqualTo(Kind.APPLIED);
    EventOutcome again = world.take(second);
    assertThat(again.kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(again.reason()).isNull();
  }

  @Test
  void aRepeatOfARefusedEventIsRefusedAgain() {
    world.board(
        Rules.day().with("clock: event").with("actions: { like: { points: 1, once-per: day } }"));
    world.board(
        Rules.of("seasons").with("clock: event").with(AUTUMN.replace("2026-11-20", "2026-11-19")));
    world.take(Fact.by("ann").at(world.now()));
    Fact second = Fact.by("ann").at(world.now());
    EventOutcome first = world.take(second);
    assertThat(first.kind()).isEqualTo(Kind.REFUSED);
    EventOutcome again = world.take(second);
    assertThat(again.kind()).isEqualTo(first.kind());
    assertThat(again.reason()).isEqualTo(first.reason());
  }

  @Test
  void aRepeatAfterTheEndOfASeasonIsADuplicateAlthoughNoSeasonFollows() {
    world.board(Rules.of("seasons").with(AUTUMN));
    world.now(Instant.parse("2026-11-20T23:59:59.999Z"));
    Fact like = Fact.by("ann");
    assertThat(world.take(like).kind()).isEqualTo(Kind.APPLIED);
    world.pass(Duration.ofSeconds(2));
    assertThat(world.take(like).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(world.take(like.again()).reason()).isEqualTo(RefusalReason.NO_PERIOD);
    world.pass(GRACE);
    assertThat(world.take(like).reason()).as("after the grace").isEqualTo(RefusalReason.NO_PERIOD);
  }

  @Test
  void aShorterGraceInTheFileDoesNotShortenThatOfThePeriodBefore() {
    Board days = world.board(Rules.day());
    Board season = world.board(Rules.of("seasons").with(AUTUMN));
    world.now(Instant.parse("2026-11-20T23:59:59.999Z"));
    Fact like = Fact.by("ann");
    assertThat(world.take(like).kind()).isEqualTo(Kind.APPLIED);
    world.edit(days, Rules.day().with("grace: 10s"));
    world.edit(season, Rules.of("seasons").with(AUTUMN).with("grace: 10s"));
    world.pass(Duration.ofMinutes(1));
    assertThat(world.take(like).boards())
        .extracting(EventOutcome.OnBoard::kind)
        .containsExactly(Kind.DUPLICATE, Kind.DUPLICATE);
    assertThat(records.points(world.open(days), "ann")).isZero();
  }

  @Test
  void anEventThatHappenedBeforeMovesNoTimeBackToTheMicrosecond() {
    Board board = world.board(Rules.day().with("clock: event").with("resolution: microsecond"));
    Period today = world.open(board);
    Instant last = World.START.plusSeconds(1);
    world.now(last);
    world.take(Fact.by("ann").on("a").at(last).to(board));
    world.take(Fact.by("ann").on("b").at(last.minusNanos(1_000)).to(board));
    assertThat(records.live(today).get(0).reachedAt()).isEqualTo(last);
  }

  @Test
  void aKeyWritesItsOwnBoardsOnly() {
    Board own = world.board(Rules.day());
    Board other = world.board(Rules.day());
    var origin = new EventOrigin.Api(Set.of(own.id()));
    var taken = world.take(List.of(Fact.by("ann"), Fact.by("ann").to(other)), origin);
    assertThat(taken.get(0).boards().stream().map(EventOutcome.OnBoard::board))
        .containsExactly(own.id());
    assertThat(taken.get(1).reason()).isEqualTo(RefusalReason.FORBIDDEN);
  }

  @Test
  void anImportCountsAtItsOwnTimesWithAnyClock() {
    Board board = world.board(Rules.day());
    var run = imports.begin("a file", "local:test");
    Fact old = Fact.by("ann").at(Instant.parse("2012-02-29T23:59:59.999Z"));
    world.take(List.of(old), new EventOrigin.History(run));
    assertThat(records.live(world.period(board, "2012-02-29")).get(0).reachedAt())
        .isEqualTo("2012-02-29T23:59:59.999Z");
  }

  private static final String ACTIONS =
      """
      actions:
        like: { points: 1, undo: true }
        coin: { points: 1, max-quantity: 10 }
        view: 2
      """;

  /** Events that a day without others refuses, with the reason. */
  private static Map<Fact, RefusalReason> refusedOf(Instant time) {
    return Map.of(
        Fact.by("ann").does("view").on("post").at(time).undone(), RefusalReason.UNDO_NOT_ALLOWED,
        Fact.by("ann").on("post").at(time).undone(), RefusalReason.NOTHING_TO_UNDO,
        Fact.by("ann").at(time).undone(), RefusalReason.MISSING_FIELD,
        Fact.by("ann").does("coin").times(11).at(time), RefusalReason.MAX_QUANTITY,
        Fact.by("ann").with(7).at(time), RefusalReason.INVALID_FIELD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fast", "committed"})
  void aRefusedEventOpensNoPeriod(String durability) {
    Rules rules = Rules.day().with("clock: event").with(ACTIONS);
    Board board = world.board(rules.with("durability: " + durability));
    Instant old = Instant.parse("2012-02-29T12:00:00Z");
    var history = new EventOrigin.History(imports.begin("a file", "local:test"));
    refusedOf(old)
        .forEach(
            (fact, reason) ->
                assertThat(world.take(List.of(fact), history).get(0).reason()).isEqualTo(reason));
    refusedOf(world.now())
        .forEach((fact, reason) -> assertThat(world.take(fact).reason()).isEqualTo(reason));
    assertThat(records.words("select name from period")).isEmpty();
    assertThat(keysOf(board)).isEmpty();

    var another = new EventOrigin.History(imports.begin("another file", "local:test"));
    Fact like = Fact.by("ann").on("post").at(old);
    Fact unseen = Fact.by("bob").on("post").at(old).undone();
    assertThat(world.take(List.of(unseen, like, like.undone(), unseen.again()), another))
        .as("the second event opens the day, and the last is decided by its live board")
        .extracting(EventOutcome::reason)
        .containsExactly(RefusalReason.NOTHING_TO_UNDO, null, null, RefusalReason.NOTHING_TO_UNDO);
    assertThat(records.live(world.period(board, "2012-02-29"))).hasSize(1);
  }

  @Test
  void anEventThatOneBoardRefusesOpensThePeriodsOfTheOthers() {
    Board few = world.board(Rules.day().with("clock: event").with(ACTIONS));
    Board many = world.board(Rules.day().with("clock: event"));
    Fact coins = Fact.by("ann").does("coin").times(11).at(world.now());
    assertThat(world.take(coins).boards())
        .extracting(EventOutcome.OnBoard::reason)
        .containsExactlyInAnyOrder(RefusalReason.MAX_QUANTITY, null);
    assertThat(records.words("select board from period")).containsExactly(many.id().value());
    assertThat(keysOf(few)).isEmpty();
  }

  @Test
  void aRefusedEventOfTheNextDayCreatesNoLiveBoardAlthoughThatDayHasARow() {
    Board board = world.board(Rules.day().with(ACTIONS));
    world.open(board);
    Fact undo = Fact.by("ann").does("view").on("post").undone();
    assertThat(world.take(undo).reason()).isEqualTo(RefusalReason.UNDO_NOT_ALLOWED);
    assertThat(keysOf(board)).isEmpty();
  }

  /** Until 2011, Newfoundland set its clocks back from 00:01 to 23:01 of the day before. */
  @Test
  void anHourThatRepeatsAfterMidnightBelongsToTheNewDayAlsoForLimits() {
    world.board(
        Rules.day()
            .with("zone: America/St_Johns")
            .with("actions: { like: { points: 1, once-per: day } }"));
    var history = new EventOrigin.History(imports.begin("a file", "local:test"));
    Fact like = Fact.by("ann").at(Instant.parse("2010-11-07T03:00:00Z"));
    EventOutcome first = world.take(List.of(like), history).get(0);
    assertThat(first.kind()).isEqualTo(Kind.APPLIED);
    assertThat(first.boards().get(0).period()).hasToString("2010-11-07");
    Fact again = like.again().at(Instant.parse("2010-11-07T12:00:00Z"));
    assertThat(world.take(List.of(again), history).get(0).reason())
        .isEqualTo(RefusalReason.REPEATED);
  }

  @Test
  void aLostLiveBoardTakesNoEventUntilItIsRestored() {
    Board board = world.board(Rules.day());
    world.take(Fact.by("ann"));
    servers.flush();
    assertThatThrownBy(() -> world.take(Fact.by("ann")))
        .isInstanceOf(LiveBoardGone.class)
        .hasMessageContaining(board.id() + " 2026-11-20");
  }

  private Set<byte[]> keysOf(Board board) {
    byte[] pattern = ("*" + board.id() + ":*").getBytes(UTF_8);
    return servers.redis(connection -> Set.copyOf(connection.keyCommands().keys(pattern)));
  }

  private String periodOf(Fact fact) {
    EventOutcome outcome = world.take(fact);
    assertThat(outcome.kind()).isEqualTo(Kind.APPLIED);
    return String.valueOf(outcome.boards().get(0).period());
  }

  private void assertLate(Fact fact) {
    EventOutcome outcome = world.take(fact);
    assertThat(outcome.kind()).isEqualTo(Kind.LATE);
    assertThat(outcome.reason()).isEqualTo(RefusalReason.LATE);
  }
}
