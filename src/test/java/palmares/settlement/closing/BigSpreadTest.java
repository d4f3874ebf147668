package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.journal.Journal;
import palmares.period.Period;
import palmares.platform.time.SettableClock;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A scheduler takes no more big periods than it fills at the same time. */
@WorldTest
class BigSpreadTest {
  private static final int SCHEDULERS = 2;
  private static final int PERIODS = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private DataRedisConnectionDetails redis;

  private final List<Elsewhere> schedulers = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (Elsewhere each : schedulers) {
      each.close();
    }
  }

  /** Each has connections for one filling. */
  private void scheduler() throws IOException {
    schedulers.add(
        Elsewhere.start(
            postgres,
            redis,
            "--palmares.node=scheduler " + schedulers.size(),
            "--palmares.live.answer-timeout=10s",
            "--palmares.history.own-tables-from=1",
            "--spring.datasource.hikari.maximum-pool-size=" + FillPermits.MIN_CONNECTIONS,
            "--spring.quartz.auto-startup=true",
            "--spring.quartz.startup-delay=1h"));
  }

  private void due() {
    List<Period> days =
        IntStream.range(0, PERIODS)
            .mapToObj(
                n ->
                    world.open(
                        world.board(
                            Rules.day()
                                .with("actions: { act%d: 1 }".formatted(n))
                                .with("rewards: [{ rule: thanks, taking-part: 5 }]"))))
            .toList();
    for (int n = 0; n < PERIODS; n++) {
      world.take(Fact.by("ann").does("act" + n));
      journal.drain(days.get(n));
    }
    days.forEach(world::due);
  }

  @Test
  void whatOneCannotFillYetAnotherFills() throws IOException {
    for (int n = 0; n < SCHEDULERS; n++) {
      scheduler();
    }
    due();
    servers.sql(
        """
        create function wait_at_outcome() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock_shared(1);
          return new;
        end $$;
        create trigger "a test holds up closings" before insert on revision
          for each row execute function wait_at_outcome()
        """);
    try {
      transaction.executeWithoutResult(
          status -> {
            servers.sql("do $$ begin perform pg_advisory_xact_lock(1); end $$");
            schedulers.forEach(each -> each.get(SettableClock.class).set(world.now()));
            await().atMost(PATIENCE).until(() -> heldUp() == SCHEDULERS);
            assertThat(
                    records.words("select node from run where outcome = 'running' order by node"))
                .containsExactly("scheduler 0", "scheduler 1");
          });
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  records.number("select count(*) from run where outcome = 'settled'") == PERIODS);
    } finally {
      servers.sql("drop function wait_at_outcome cascade");
    }
    assertThat(records.balance("ann")).isEqualTo(5 * PERIODS);
    assertThat(records.verify().named()).isEmpty();
  }

  private long heldUp() {
    return records.number(
        "select count(*) from pg_locks where locktype = 'advisory' and objid = 1 and not granted");
  }
}
