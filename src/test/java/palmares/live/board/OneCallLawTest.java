package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.ApplyCalls.ApplyRequest;
import palmares.live.board.ApplyCalls.LiveSettings;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.BoardChange.Day;
import palmares.live.intake.EventOutcome;
import palmares.live.journal.Journal;
import palmares.live.journal.StoredEvents;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Problem;
import palmares.platform.redis.RedisClient;
import palmares.platform.threads.Spans;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.LiveContent;
import palmares.testing.RandomFacts;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A call with many events has the same effect as one call per event. */
@WorldTest
class OneCallLawTest {
  private static final int ROUNDS = 3;
  private static final int MAX_EVENTS = 1_000;

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private LiveExclusions liveExclusions;
  @Autowired private EventApplier applier;
  @Autowired private RedisClient redis;
  @Autowired private Spans spans;
  @Autowired private LiveJournal live;
  @Autowired private Journal journal;
  @Autowired private StoredEvents stored;

  @ParameterizedTest
  @ValueSource(
      longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23})
  void manyEventsInOneCallAreDecidedAsInSingleCalls(long seed) {
    var random = new RandomFacts(seed);
    Rules rules = seed % 2 == 0 ? random.rules().with("ranks: dense") : random.rules();
    Board single = world.board(rules);
    Board batched = world.board(rules);
    Period singly = world.open(single);
    Period together = world.open(batched);
    world.now(singly.slot().endsAt());
    exclusions.exclude(
        new Terms(new MemberId("b"), ExclusionLevel.UNRANKED, null, null, null), "cheats", "test");
    for (int round = 0; round < ROUNDS; round++) {
      List<Fact> facts = random.facts(singly.slot(), MAX_EVENTS);
      var oneByOne =
          facts.stream().map(fact -> RandomFacts.word(world.take(fact.to(single)))).toList();
      var atOnce =
          world.take(facts.stream().map(fact -> fact.to(batched)).toList()).stream()
              .map(RandomFacts::word)
              .toList();
      assertThat(atOnce).as("%s %s", random, facts).isEqualTo(oneByOne);
      liveExclusions.updateAll(); // the first round creates the boards
    }
    assertThat(LiveContent.of(servers, together))
        .as("%s", random)
        .isEqualTo(LiveContent.of(servers, singly));

    assertThat(journal.drain(together)).isEqualTo(journal.drain(singly));
    assertThat(stored.after(together.id(), 0, MAX_EVENTS))
        .as("%s", random)
        .isEqualTo(stored.after(singly.id(), 0, MAX_EVENTS));
  }

  /** Also if its caller finds another period for the event than its time says. */
  @Test
  void theScriptTakesNoEventOfTheEndOfItsPeriod() {
    Board board = world.board(Rules.day().with("clock: event"));
    Period day = world.open(board);
    world.now(day.slot().endsAt().minusNanos(1_000));
    world.take(Fact.by("ann").at(world.now()));
    assertThat(decided(day, board, day.slot().endsAt())).isEqualTo(Verdict.OUTSIDE);
    assertThat(decided(day, board, day.slot().startsAt().minusNanos(1_000)))
        .isEqualTo(Verdict.OUTSIDE);
    assertThat(decided(day, board, day.slot().startsAt())).isEqualTo(Verdict.APPLIED);
  }

  private Verdict decided(Period day, Board board, Instant at) {
    return decided(applier, change(day, board, at, Arrival.ANY, null));
  }

  private static Verdict decided(EventApplier applier, BoardChange change) {
    return applier.each(List.of(ApplyRequest.fresh(change))).get(0).verdict();
  }

  private static BoardChange change(
      Period period, Board board, Instant at, Arrival arrival, @Nullable Day day) {
    Action like = Objects.requireNonNull(board.actions().get("like"));
    var worth = new BoardChange.Worth(1, null, 0);
    Event event = Fact.by("bob").at(at).event();
    return new BoardChange(LiveKeys.of(period), event, like, worth, at, arrival, day, "digest");
  }

  /** Also if its caller finds another day for the event than its time says. */
  @Test
  void theScriptTakesNoEventOutsideTheDayOfItsLimits() {
    Board board = world.board(Rules.of("month").with("clock: event"));
    Period month = world.open(board);
    world.take(Fact.by("ann").at(world.now()));
    var day =
        new Day(
            "2026-11-19",
            Instant.parse("2026-11-19T00:00:00Z"),
            Instant.parse("2026-11-20T00:00:00Z"));
    Map.of(
            day.startsAt().minusNanos(1_000), Verdict.OUTSIDE,
            day.startsAt(), Verdict.APPLIED,
            day.endsAt(), Verdict.OUTSIDE)
        .forEach(
            (at, verdict) ->
                assertThat(decided(applier, change(month, board, at, Arrival.ANY, day)))
                    .as("%s", at)
                    .isEqualTo(verdict));
  }

  @Test
  void theScriptTakesNoEventThatArrivesAtTheEndOfTheGrace() {
    Board board = world.board(Rules.day().with("clock: event"));
    Period day = world.open(board);
    world.take(Fact.by("ann").at(world.now()));
    Instant at = world.now();
    Instant closes = Objects.requireNonNull(day.closesAt());
    world.now(closes.minusNanos(1_000));
    assertThat(decided(applier, change(day, board, at, Arrival.NOW, null)))
        .isEqualTo(Verdict.APPLIED);
    world.now(closes);
    assertThat(decided(applier, change(day, board, at, Arrival.NOW, null))).isEqualTo(Verdict.LATE);
    assertThat(decided(day, board, at)).as("an import").isEqualTo(Verdict.APPLIED);
  }

  /** As on a server, whose clock nobody moves. */
  @Test
  void anEventArrivesAtTheTimeOfRedis() {
    world.now(Instant.parse("2099-06-01T10:00:00Z"));
    Board board = world.board(Rules.day().with("clock: event"));
    Period day = world.open(board);
    world.take(Fact.by("ann").at(world.now()));
    var settings = new LiveSettings(MAX_EVENTS);
    var real =
        new EventApplier(redis, new ApplyCalls(Clock.systemUTC(), settings), settings, spans);
    assertThat(decided(real, change(day, board, world.now(), Arrival.NOW, null)))
        .isEqualTo(Verdict.APPLIED);
  }

  @Test
  void noEventIsLateOnABoardThatNeverCloses() {
    Period all = world.open(world.board(Rules.of("none").with("starts: 2026-01-01")));
    assertThat(world.take(Fact.by("ann")).kind()).isEqualTo(EventOutcome.Kind.APPLIED);
    assertThat(all.closesAt()).isNull();
  }

  @Test
  void aTornBoardTakesNoEvents() {
    Board board = world.board(Rules.day());
    Period day = world.open(board);
    world.take(Fact.by("ann"));
    byte[] ids = LiveKeys.of(day).name("ids").getBytes(UTF_8);
    Long removed = servers.redis(connection -> connection.keyCommands().del(ids));
    assertThat(removed).isEqualTo(1);
    assertThatThrownBy(() -> world.take(Fact.by("bob")))
        .isInstanceOf(LiveBoardUnavailable.class)
        .hasFieldOrPropertyWithValue("problem", Problem.TORN);
  }

  @Test
  void aBoardThatIsBeingRebuiltTakesNoOtherEvents() {
    Board board = world.board(Rules.day());
    Period day = world.open(board);
    world.take(Fact.by("ann"));
    byte[] meta = LiveKeys.of(day).meta();
    servers.redis(
        connection ->
            connection
                .hashCommands()
                .hSet(meta, "state".getBytes(UTF_8), "rebuilding 1".getBytes(UTF_8)));
    assertThatThrownBy(() -> world.take(Fact.by("bob")))
        .isInstanceOf(LiveBoardUnavailable.class)
        .hasFieldOrPropertyWithValue("problem", Problem.REBUILDING);
  }

  @Test
  void theJournalReturnsTheEventsOfACallOneByOne() {
    Period day = world.open(world.board(Rules.day()));
    world.take(List.of(Fact.by("ann").on("a"), Fact.by("bob").on("b"), Fact.by("eve").on("c")));
    world.take(Fact.by("dan").on("d"));

    assertThat(live.from(day, 0, 1)).as("the whole entry").hasSize(3);
    assertThat(live.from(day, 0, MAX_EVENTS).stream().map(JournalEntry::decode))
        .extracting(LiveEntry::seq, LiveEntry::member, LiveEntry::subject)
        .containsExactly(
            tuple(1L, "ann", "a"),
            tuple(2L, "bob", "b"),
            tuple(3L, "eve", "c"),
            tuple(4L, "dan", "d"));
    assertThat(live.from(day, 4, 1)).as("from a number on").hasSize(1);
  }
}
