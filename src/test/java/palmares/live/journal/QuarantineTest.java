package palmares.live.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.stream.RecordId;
import org.springframework.data.redis.connection.stream.StreamRecords;
import palmares.live.board.LiveBoardGone;
import palmares.live.board.LiveKeys;
import palmares.live.journal.JournalFaults.Fault;
import palmares.live.journal.Quarantine.Resolution;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.period.WrongState;
import palmares.platform.Problem;
import palmares.platform.text.Texts;
import palmares.rules.board.ExternalText;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.LiveDump;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** An entry that PostgreSQL refuses stops the payment of its period only. */
@WorldTest
class QuarantineTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Quarantine quarantine;
  @Autowired private DrainRound round;
  @Autowired private JournalFaults faults;
  @Autowired private Rebuild rebuild;
  @Autowired private MeterRegistry metrics;

  private final Fact poisoned = Fact.by("eve").does("invite").on("zed");
  private Period day;

  @BeforeEach
  void aContestWithAnEntryToPoison() {
    day = world.open(world.board(Contest.rules()));
    world.take(poisoned);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s|eve|invite|zed|1||0|applied -1 0 %d d",
        "%s|eve|invite|zed|1||0|unheard-of 100 100 %d d",
        "%s|eve|invite|zed|1||0|applied 99999999999999999999 100 %d d",
        "%s|e\0e|invite|zed|1||0|applied 100 100 %d d",
        "%s|eve|invite|zed|1||0|applied 100 100 %d000000000 d",
        "gibberish",
      })
  void otherEventsAndOtherBoardsAreDrained(String text) {
    poison(text.formatted(poisoned.id(), world.now().toEpochMilli() * 1_000));
    Period other = world.open(world.board(Contest.rules()));
    world.take(Contest.facts()); // to both

    round.run(() -> true);

    assertThat(records.number("select drained from journal_position where period_id = ?", id(day)))
        .isEqualTo(10);
    assertThat(records.number("select count(*) from event where period_id = ?", id(day)))
        .isEqualTo(9);
    assertThat(quarantine.list(day.board(), day.name(), false, null, 10))
        .singleElement()
        .satisfies(held -> assertThat(held.number()).isEqualTo(1));
    assertThat(gauge("palmares.journal.quarantined")).isEqualTo(1);
    assertThat(gauge("palmares.journal.faulty")).isZero();
    ClosingResult closed = world.close(day);
    assertThat(closed.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    assertThat(closed.text()).contains("first number 1", "until each is released or discarded");
    world.settle(other);
    assertThat(records.paid(other)).isEqualTo(Contest.PAID);
  }

  @Test
  void aReleasedEntryCountsAsOnTheLiveBoard() {
    servers.sql("alter table event add constraint poison check (member <> 'eve') not valid");
    try {
      world.take(Contest.facts());
      journal.drain(day);
      assertThat(quarantine.list(null, null, false, null, 10)).hasSize(3);
      assertThatThrownBy(() -> resolve(1, Resolution.RELEASED))
          .isInstanceOf(WrongState.class)
          .hasMessageContaining("PostgreSQL still refuses entry")
          .hasMessageContaining("poison");
      assertThat(records.number("select count(*) from audit_entry")).isZero();
    } finally {
      servers.sql("alter table event drop constraint poison");
    }
    List.of(1L, 9L, 10L).forEach(seq -> resolve(seq, Resolution.RELEASED));

    assertThat(quarantine.list(null, null, false, null, 10)).isEmpty();
    assertThat(quarantine.list(null, null, true, null, 10))
        .extracting(Quarantine.QuarantinedEntry::decision)
        .containsOnly("released by joe: looked into");
    assertThat(records.words("select concat_ws(' ', verb, reason, details) from audit_entry"))
        .containsExactly(
            "release-entry looked into {\"entry\": 1}",
            "release-entry looked into {\"entry\": 9}",
            "release-entry looked into {\"entry\": 10}");
    world.settle(day);
    assertThat(records.number("select points from standing where member = 'eve'")).isEqualTo(100);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aDiscardedEntryDoesNotCountAfterARebuild() {
    poison("gibberish");
    world.take(Contest.facts());
    journal.drain(day);
    assertThatThrownBy(() -> rebuild())
        .hasFieldOrPropertyWithValue("problem", Problem.EVENTS_MISSING);

    resolve(1, Resolution.DISCARDED);
    assertThatThrownBy(() -> resolve(1, Resolution.DISCARDED))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("no undecided entry");
    assertThat(world.close(day).text()).contains("eve: the board says 100 points");
    assertThatThrownBy(() -> rebuild())
        .hasFieldOrPropertyWithValue("problem", Problem.EVENTS_MISSING)
        .hasMessageContaining("of 501 points 401");
    rebuild.run(
        day.id(),
        Present.REPLACE,
        new Acknowledgement("joe", "eve never came"),
        () -> {},
        done -> {});
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void noEventCanTakeTheIdByWhichADiscardedEntryIsStored() {
    poison("gibberish");
    world.take(Fact.by("ann").on("post").named("discarded entry 1"));
    journal.drain(day);
    resolve(1, Resolution.DISCARDED);
    assertThat(records.words("select outcome from event order by seq"))
        .containsExactly("discarded", "applied");
    String stored = records.words("select id from event where seq = 1").get(0);
    assertThatThrownBy(() -> ExternalText.require("an id", stored, 128))
        .hasMessageContaining("control characters");
  }

  @Test
  void aDrainContinuesAfterOneThatDiedBeforeItTrimmed() {
    poison("gibberish");
    LiveDump untrimmed = LiveDump.of(servers, day);
    journal.drain(day);
    untrimmed.restore(servers);
    journal.drain(day);
    untrimmed.restore(servers);
    resolve(1, Resolution.DISCARDED);
    assertThat(journal.drain(day)).isEqualTo(1);
    assertThat(quarantine.list(null, null, true, null, 10)).hasSize(1);
  }

  @Test
  void aFailureThatNoEntryCausesQuarantinesNothing() {
    servers.sql("alter table event rename to event_away");
    try {
      assertThatThrownBy(() -> journal.drain(day)).isInstanceOf(RuntimeException.class);
    } finally {
      servers.sql("alter table event_away rename to event");
    }
    assertThat(quarantine.list(null, null, true, null, 10)).isEmpty();
    assertThat(journal.drain(day)).isEqualTo(1);
  }

  @Test
  void aBoardBehindItsJournalIsCountedWithoutNewEvents() {
    LiveDump before = LiveDump.of(servers, day);
    world.take(Contest.facts());
    round.run(() -> true);
    assertThat(gauge("palmares.journal.faulty")).isZero();
    before.restore(servers);
    round.run(() -> true);
    assertThat(gauge("palmares.journal.faulty")).isEqualTo(1);
    assertThat(faults.all())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.kind()).isEqualTo(JournalFaults.Kind.WENT_BACK);
              assertThat(fault.repair()).isEqualTo(Repair.REPLACE);
            });
    rebuild();
    round.run(() -> true);
    assertThat(gauge("palmares.journal.faulty")).isZero();
  }

  @Test
  void aLiveBoardThatRedisLostIsListedWithTheCommandUntilItIsRebuilt() {
    round.run(() -> true);
    assertThat(faults.all()).isEmpty();
    byte[] keys = LiveKeys.of(day).name("*").getBytes(UTF_8);
    servers.redis(
        connection ->
            connection
                .keyCommands()
                .del(
                    Objects.requireNonNull(connection.keyCommands().keys(keys))
                        .toArray(byte[][]::new)));
    round.run(() -> true);
    assertThat(gauge("palmares.journal.faulty")).isEqualTo(1);
    assertThat(faults.all())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.kind()).isEqualTo(JournalFaults.Kind.LOST);
              assertThat(fault.since()).isEqualTo(world.now());
              assertThat(Texts.english(fault.said()))
                  .as("the same words as those of the API")
                  .isEqualTo(LiveBoardGone.counted(day).getMessage());
              assertThat(fault.repair()).isEqualTo(Repair.REBUILD);
            });
    world.pass(Duration.ofMinutes(5));
    round.run(() -> true);
    assertThat(faults.all()).singleElement().extracting(Fault::since).isNotEqualTo(world.now());
    rebuild();
    round.run(() -> true);
    assertThat(faults.all()).isEmpty();
    assertThat(gauge("palmares.journal.faulty")).isZero();
  }

  private void resolve(long seq, Resolution resolution) {
    quarantine.resolve(day, seq, resolution, "joe", "looked into");
  }

  private void rebuild() {
    rebuild.run(day.id(), Present.REPLACE, null, () -> {}, done -> {});
  }

  /** Replaces the journal's only entry by another text. */
  private void poison(String text) {
    byte[] journal = LiveKeys.of(day).name("journal").getBytes(UTF_8);
    servers.redis(
        connection -> {
          var stream = connection.streamCommands();
          RecordId old =
              Objects.requireNonNull(stream.xRange(journal, Range.unbounded())).get(0).getId();
          stream.xDel(journal, old);
          Map<byte[], byte[]> body =
              Map.of("events".getBytes(UTF_8), text.replace('|', '\37').getBytes(UTF_8));
          return stream.xAdd(
              StreamRecords.rawBytes(body)
                  .withStreamKey(journal)
                  .withId(RecordId.of(1, Objects.requireNonNull(old.getSequence()) + 1)));
        });
  }

  private double gauge(String name) {
    return metrics.get(name).tag("board", day.board().value()).gauge().value();
  }

  private static long id(Period period) {
    return period.id().value();
  }
}
