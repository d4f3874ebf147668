package palmares.operations.rebuild;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.from;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.journal.Journal;
import palmares.live.journal.JournalGap;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.operations.rebuild.Rebuild.RebuildResult;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Repair;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Fact;
import palmares.testing.LiveContent;
import palmares.testing.LiveDump;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A Redis that goes back in time at the worst moment costs no event that it decided since. */
@WorldTest
class GoneBackTest {
  private static final LongConsumer NO_WATCHER = done -> {};
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Rebuild rebuild;
  @Autowired private DataSource database;

  private final Fact kept = Fact.by("ann").on("a");
  private final Fact lost = Fact.by("bob").on("a");
  private Period day;

  @BeforeEach
  void anEvent() {
    day = world.open(world.board(Rules.day().with("clock: event")));
    take(kept);
  }

  @Test
  void eventsUnderReusedNumbersAreNotDroppedByAConcurrentDrain() throws SQLException {
    LiveDump before = LiveDump.of(servers, day);
    take(lost);
    take(Fact.by("bob").on("b"));
    drainWhile(
        "lock table event in share mode",
        () -> {
          before.restore(servers);
          take(Fact.by("cid").on("a"));
          assertThat(take(lost)).as("Redis does not know it").isEqualTo(Kind.APPLIED);
          take(Fact.by("cid").on("b"));
        });
    assertThat(journal.position(day.id())).isEqualTo(3);
    assertStops();

    assertThat(rebuild(day))
        .isEqualTo(new RebuildResult(PeriodState.OPEN, 3, 2, List.of(), false, null));
    assertThat(points("ann", "bob", "cid")).containsExactly(1L, 2L, 2L);
    assertThat(take(lost)).isEqualTo(Kind.DUPLICATE);
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anEqualLastEventDoesNotHideEarlierDifferences() throws SQLException {
    LiveDump before = LiveDump.of(servers, day);
    take(lost);
    Fact last = Fact.by("bob").on("b");
    take(last);
    drainWhile(
        "lock table event in share mode",
        () -> {
          before.restore(servers);
          take(Fact.by("cid").on("a"));
          take(last);
        });
    assertStops();
    rebuild(day);
    assertThat(points("ann", "bob", "cid")).containsExactly(1L, 2L, 1L);
    world.settle(day);
  }

  @Test
  void eventsBetweenReadingAndTrimmingAreNotDropped() throws SQLException {
    LiveDump before = LiveDump.of(servers, day);
    take(lost);
    journal.drain(day);
    before.restore(servers);
    drainWhile(
        "select from journal_position for update",
        () -> {
          take(Fact.by("cid").on("a"));
        });
    assertStops();
    rebuild(day);
    assertThat(points("ann", "bob", "cid")).containsExactly(1L, 1L, 1L);
    world.settle(day);
  }

  @Test
  void anEventThatRedisForgotCountsOnce() {
    journal.drain(day);
    servers.redis(
        connection -> {
          connection.hashCommands().hIncrBy(key("meta"), "size".getBytes(UTF_8), -1);
          return connection.hashCommands().hDel(key("ids"), kept.id().getBytes(UTF_8));
        });
    Fact forgotten = Fact.by("ann").on("another").named(kept.id());
    assertThat(take(forgotten)).isEqualTo(Kind.APPLIED);
    take(lost);

    for (int drain = 0; drain < 2; drain++) {
      assertThatThrownBy(() -> journal.drain(day))
          .isInstanceOf(JournalGap.class)
          .hasMessageContaining("'%s', is in PostgreSQL under another number", kept.id());
    }
    assertStops();
    assertThat(rebuild(day))
        .isEqualTo(
            new RebuildResult(
                PeriodState.OPEN,
                1,
                1,
                List.of(new RebuildSentences.Stray(kept.id(), "conflict")),
                false,
                null));
    assertThat(points("ann", "bob")).containsExactly(1L, 1L);
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aBoardWithEventsThatAreNowhereElseIsNotReplaced() {
    LiveDump before = LiveDump.of(servers, day);
    take(lost);
    journal.drain(day);
    before.restore(servers);
    Fact since = Fact.by("cid").on("a");
    take(since);
    servers.redis(connection -> connection.keyCommands().del(key("journal")));
    LiveContent content = LiveContent.of(servers, day);

    assertThatThrownBy(() -> rebuild(day))
        .isInstanceOf(JournalGap.class)
        .hasMessageContaining("neither PostgreSQL nor the journal in Redis has 1 event, first")
        .hasMessageContaining("'%s'", since.id());
    assertThat(LiveContent.of(servers, day)).isEqualTo(content);
  }

  @Test
  void eventsWithoutEffectAfterRedisWentBackAreDecidedAgain() {
    LiveDump before = LiveDump.of(servers, day);
    take(lost);
    journal.drain(day);
    before.restore(servers);
    take(kept.again());
    assertThat(rebuild(day))
        .isEqualTo(new RebuildResult(PeriodState.OPEN, 2, 1, List.of(), false, null));
  }

  private RebuildResult rebuild(Period period) {
    return rebuild.run(period.id(), Present.REPLACE, null, () -> {}, NO_WATCHER).orElseThrow();
  }

  /** Nothing is drained, and the closing refuses before it seals wrong figures. */
  private void assertStops() {
    assertThatThrownBy(() -> journal.drain(day))
        .isInstanceOf(JournalGap.class)
        .asInstanceOf(type(Repair.Needed.class))
        .returns(Repair.REPLACE, from(Repair.Needed::repair));
    ClosingResult closed = world.close(day);
    assertThat(closed.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    assertThat(closed.text()).contains("Redis went back to an earlier state");
    assertThat(world.again(day).state()).isEqualTo(PeriodState.OPEN);
  }

  /** Drains while another transaction holds a lock, and does something before that ends. */
  private void drainWhile(String lock, Runnable meanwhile) throws SQLException {
    CompletableFuture<Long> drain;
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(lock);
      drain = CompletableFuture.supplyAsync(() -> journal.drain(day));
      while (records.number("select count(*) from pg_locks where not granted") == 0) {
        Thread.onSpinWait();
      }
      meanwhile.run();
      connection.rollback();
    }
    assertThat(drain)
        .failsWithin(TIMEOUT)
        .withThrowableThat()
        .withMessageContaining("Redis went back to an earlier state");
  }

  private Kind take(Fact fact) {
    return world.take(fact.at(World.START.minusSeconds(60))).kind();
  }

  private List<Long> points(String... members) {
    return List.of(members).stream().map(member -> records.points(day, member)).toList();
  }

  private byte[] key(String part) {
    return LiveKeys.of(day).name(part).getBytes(UTF_8);
  }
}
