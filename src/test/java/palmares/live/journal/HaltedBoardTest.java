package palmares.live.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.Halt;
import palmares.live.board.LiveBoardUnavailable;
import palmares.live.board.LiveJournal;
import palmares.live.intake.EventOutcome.Kind;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.platform.Refusal.Reason;
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
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private LiveJournal live;
  @Autowired private DrainRound round;
  @Autowired private JournalFaults faults;
  @Autowired private Rebuild rebuild;

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

    assertRefused(Fact.by("cid").on("a"), Reason.JOURNAL_GAP);
    assertThat(world.take(last).kind()).as("its journal has it").isEqualTo(Kind.DUPLICATE);
    assertThat(records.points(day, "ann")).isEqualTo(1);
    assertFault(JournalFaults.Kind.GAP, Halt.GAP);
    round.run(() -> true);
    assertFault(JournalFaults.Kind.GAP, Halt.GAP);

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

    assertRefused(Fact.by("cid").on("a"), Reason.TORN);
    assertRefused(last, Reason.TORN);
    assertThatThrownBy(() -> records.live(day))
        .isInstanceOf(LiveBoardUnavailable.class)
        .hasFieldOrPropertyWithValue("reason", Reason.TORN);
    assertFault(JournalFaults.Kind.TORN, Halt.TORN);
    assertThat(Halt.TORN.sentence(day.label()))
        .contains("'palmares rebuild %s --replace'".formatted(day.label()));

    rebuild.run(day.id(), Present.REPLACE, null, () -> {}, done -> {});
    round.run(() -> true);
    assertThat(faults.all()).isEmpty();
    assertThat(LiveContent.of(servers, day)).isEqualTo(whole);
    assertThat(world.take(last).kind()).isEqualTo(Kind.DUPLICATE);
    world.settle(day);
  }

  private void assertRefused(Fact fact, Reason reason) {
    assertThatThrownBy(() -> world.take(fact))
        .isInstanceOf(LiveBoardUnavailable.class)
        .hasFieldOrPropertyWithValue("reason", reason);
  }

  private void assertFault(JournalFaults.Kind kind, Halt halt) {
    assertThat(faults.all())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.kind()).isEqualTo(kind);
              assertThat(fault.sentence()).isEqualTo(halt.sentence(day.label()));
            });
  }

  private void dropDrained() {
    servers.redis(
        connection ->
            connection
                .keyCommands()
                .del(
                    "palmares:{%s:%s}:journal".formatted(day.board(), day.name()).getBytes(UTF_8)));
  }
}
