package palmares.live.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.ClosedMarks;
import palmares.live.board.Halt;
import palmares.live.board.LiveBoardUnavailable;
import palmares.live.board.LiveExclusions;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.journal.JournalFaults.Fault;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Repair;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Problem;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.JournalDump;
import palmares.testing.LiveContent;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A live board that is not what it has counted takes no events until it is. */
@WorldTest
class HaltedBoardTest {
  private static final Map<String, String> KINDS =
      Map.of(
          "packed",
          "excluded excluded-lines",
          "wide",
          "places excluded excluded-lines",
          "dense",
          "levels holders excluded excluded-lines",
          "limited",
          "given excluded excluded-lines",
          "wide, dense and limited",
          "places levels holders given excluded excluded-lines");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private LiveJournal live;
  @Autowired private ClosedMarks closed;
  @Autowired private TransactionTemplate transaction;
  @Autowired private DrainRound round;
  @Autowired private JournalFaults faults;
  @Autowired private Rebuild rebuild;
  @Autowired private Exclusions exclusions;
  @Autowired private LiveExclusions lists;

  private final Fact first = Fact.by("ann").on("a");
  private final Fact last = Fact.by("bob").on("a");
  private Period day;

  @BeforeEach
  void anEvent() {
    day = world.open(world.board(Rules.day()));
    world.take(first);
  }

  @Test
  void aBoardWhoseJournalHasAGapTakesNoEventsAndIsRead() {
    JournalDump before = JournalDump.of(records, day);
    round.run(() -> true);
    JournalDump whole = JournalDump.of(records, day);
    dropDrained();
    before.restore(servers);
    world.take(last);
    round.run(() -> true);

    assertRefused(Fact.by("cid").on("a"), Problem.JOURNAL_GAP);
    assertThat(world.take(last).kind()).as("its journal has it").isEqualTo(Kind.DUPLICATE);
    assertThat(records.points(day, "ann")).isEqualTo(1);
    assertFault(JournalFaults.Kind.GAP, Halt.GAP);
    round.run(() -> true);
    assertFault(JournalFaults.Kind.GAP, Halt.GAP);
    assertThat(Texts.english(faults.all().get(0).said()))
        .contains(" lacks event 1, which the live board has counted; ");

    whole.restore(servers);
    round.run(() -> true);
    assertThat(faults.all()).isEmpty();
    assertThat(world.take(Fact.by("cid").on("a")).kind()).isEqualTo(Kind.APPLIED);
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aTornBoardIsNeitherWrittenNorReadUntilItIsRebuilt() {
    world.take(last);
    LiveContent whole = LiveContent.of(servers, day);
    live.halt(day, Halt.TORN);
    live.halt(day, Halt.GAP);
    live.resume(day, Halt.GAP);
    round.run(() -> true);

    assertRefused(Fact.by("cid").on("a"), Problem.TORN);
    assertRefused(last, Problem.TORN);
    assertThatThrownBy(() -> records.live(day))
        .isInstanceOf(LiveBoardUnavailable.class)
        .hasFieldOrPropertyWithValue("problem", Problem.TORN);
    assertFault(JournalFaults.Kind.TORN, Halt.TORN);
    assertThat(faults.all()).extracting(Fault::repair).containsExactly(Repair.REPLACE);

    rebuild(day);
    round.run(() -> true);
    assertThat(faults.all()).isEmpty();
    assertThat(LiveContent.of(servers, day)).isEqualTo(whole);
    assertThat(world.take(last).kind()).isEqualTo(Kind.DUPLICATE);
    world.settle(day);
  }

  /** Each kind of board, and each of its keys but the meta, without which the board is lost. */
  static List<Arguments> tears() {
    var tears = new ArrayList<Arguments>();
    KINDS.forEach(
        (kind, parts) ->
            Stream.of(("board ids " + parts).split(" "))
                .forEach(part -> tears.add(Arguments.of(kind, part))));
    return tears;
  }

  @ParameterizedTest
  @MethodSource("tears")
  void aBoardThatLostAKeyIsTornUntilItIsRebuilt(String kind, String part) {
    Board board = world.board(rules(kind));
    Period torn = world.open(board);
    exclude("bob", ExclusionLevel.HIDDEN);
    exclude("dan", ExclusionLevel.UNRANKED);
    exclude("nobody", ExclusionLevel.UNRANKED);
    lists.updateAll();
    world.take(facts(board));
    round.run(() -> true);
    assertThat(faults.all()).as("no part counts wrongly").isEmpty();
    LiveContent whole = LiveContent.of(servers, torn);

    for (boolean isWritten : List.of(true, false)) {
      tear(torn, part);
      if (isWritten) {
        assertRefused(Fact.by("new").on("z").to(board), Problem.TORN);
      } else {
        round.run(() -> true);
      }
      assertTorn(torn);
      rebuild(torn);
      assertThat(LiveContent.of(servers, torn)).isEqualTo(whole);
    }
    tear(torn, part);
    assertThatThrownBy(() -> records.live(torn)).isInstanceOf(LiveBoardUnavailable.class);
    rebuild(torn);
    assertThat(world.take(Fact.by("new").on("z").to(board)).kind()).isEqualTo(Kind.APPLIED);
    round.run(() -> true);
    assertThat(faults.all()).isEmpty();
    world.settle(torn);
    assertThat(records.verify().named()).isEmpty();
  }

  private static Rules rules(String kind) {
    Rules rules = Rules.day();
    if (kind.contains("wide")) {
      rules.with("layout: wide");
    }
    if (kind.contains("dense")) {
      rules.with("ranks: dense");
    }
    return kind.contains("limited")
        ? rules.with(
            "actions: { like: { points: 1, undo: true, once-per: subject, max-per-day: 3 } }")
        : rules;
  }

  private static List<Fact> facts(Board board) {
    var facts = new ArrayList<Fact>();
    for (String member : List.of("ann", "bob", "cid", "dan", "else")) {
      for (String subject : List.of("a", "b", "c").subList(0, member.length() - 1)) {
        facts.add(Fact.by(member).on(subject).to(board));
      }
    }
    facts.add(facts.get(0).undone());
    return facts;
  }

  private void exclude(String member, ExclusionLevel level) {
    exclusions.exclude(Terms.always(new MemberId(member), level), "a law", "test");
  }

  private void rebuild(Period period) {
    rebuild.run(period.id(), Present.REPLACE, null, () -> {}, done -> {});
  }

  private void tear(Period period, String part) {
    Long removed = servers.redis(connection -> connection.keyCommands().del(key(period, part)));
    assertThat(removed).as(part).isEqualTo(1);
  }

  private void assertTorn(Period period) {
    assertThatThrownBy(() -> records.live(period))
        .isInstanceOf(LiveBoardUnavailable.class)
        .hasFieldOrPropertyWithValue("problem", Problem.TORN);
    round.run(() -> true);
    assertThat(faults.all()).extracting(Fault::kind).containsExactly(JournalFaults.Kind.TORN);
  }

  /** As after an outage of PostgreSQL: the journal has more than a drain stores at once. */
  @Test
  void aBoardThatLostItsMetaIsRebuiltFromALongJournal() {
    var facts = new ArrayList<Fact>();
    for (int i = 0; i < 12_000; i++) {
      facts.add(Fact.by("m" + i % 100).on("s" + i));
    }
    world.takeAll(facts, World.ANYBODY);
    tear(day, "meta");
    rebuild(day);
    assertThat(journal.position(day.id())).isEqualTo(1 + facts.size());
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aBoardWhoseNodeIsDownDelaysNoOther() {
    Period other = world.open(world.board(Rules.day()));
    world.take(last);
    exclude("bob", ExclusionLevel.HIDDEN);
    servers.reachingOnly(
        other,
        () -> {
          assertThatThrownBy(() -> round.run(() -> true)).isInstanceOf(RedisUnavailable.class);
          assertThatThrownBy(lists::updateAll).isInstanceOf(RedisUnavailable.class);
        });
    assertThat(records.live(other)).isEmpty();
    assertThat(records.live(day)).hasSize(2);
    assertThat(journal.position(other.id())).isEqualTo(1);
    assertThat(journal.position(day.id())).isZero();
    assertThat(faults.all()).isEmpty();
    round.run(() -> true);
    assertThat(journal.position(day.id())).isEqualTo(2);
  }

  @Test
  void aFaultStaysWhileItsNodeIsDown() {
    Period other = world.open(world.board(Rules.day()));
    world.take(last);
    tear(day, "board");
    assertTorn(day);
    servers.reachingOnly(
        other,
        () -> assertThatThrownBy(() -> round.run(() -> true)).isInstanceOf(RedisUnavailable.class));
    assertThat(faults.all()).extracting(Fault::kind).containsExactly(JournalFaults.Kind.TORN);
  }

  @ParameterizedTest
  @EnumSource(names = {"SEALED", "SETTLED"})
  void aClosingThatPostgresForgotIsAFault(PeriodState state) {
    closed.mark(day, PeriodState.SEALED);
    round.run(() -> true);
    assertThat(faults.all()).as("it is sealed again").isEmpty();
    if (state == PeriodState.SEALED) {
      transaction.executeWithoutResult(status -> closed.markPaying(day));
    } else {
      closed.mark(day, state);
    }
    round.run(() -> true);
    assertThat(faults.all())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.kind()).isEqualTo(JournalFaults.Kind.FORGOTTEN);
              assertThat(Texts.english(fault.said()))
                  .startsWith(
                      "PostgreSQL has forgotten that %s was %s"
                          .formatted(day.label(), state.word()));
              assertThat(fault.repair()).isEqualTo(Repair.ACCEPT_LOSS);
            });
  }

  private void assertRefused(Fact fact, Problem reason) {
    assertThatThrownBy(() -> world.take(fact))
        .isInstanceOf(LiveBoardUnavailable.class)
        .hasFieldOrPropertyWithValue("problem", reason);
  }

  private void assertFault(JournalFaults.Kind kind, Halt halt) {
    assertThat(faults.all())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.kind()).isEqualTo(kind);
              assertThat(Texts.english(fault.said()))
                  .startsWith(
                      halt == Halt.GAP
                          ? "the journal of %s lacks ".formatted(day.label())
                          : Texts.english(halt.said(day.label())));
            });
  }

  private void dropDrained() {
    tear(day, "journal");
  }

  private static byte[] key(Period period, String part) {
    return LiveKeys.of(period).name(part).getBytes(UTF_8);
  }
}
