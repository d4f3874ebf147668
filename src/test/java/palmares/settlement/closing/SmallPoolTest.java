package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Big closings need several connections each, and never wait for those of each other. */
@WorldTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmallPoolTest {
  private static final int CONNECTIONS = FillPermits.CONNECTIONS_PER_FILLING + 1;
  private static final int PERIODS = 18;

  @Autowired private World here;
  @Autowired private Records records;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private DataRedisConnectionDetails redis;

  private Elsewhere elsewhere;

  @BeforeAll
  void aProcessWithFewConnections() throws IOException {
    elsewhere =
        Elsewhere.start(
            postgres,
            redis,
            "--palmares.history.own-tables-from=1",
            "--spring.datasource.hikari.maximum-pool-size=" + CONNECTIONS,
            "--spring.datasource.hikari.connection-timeout=3000");
  }

  @AfterAll
  void stop() throws IOException {
    elsewhere.close();
  }

  /** Where arrivals break ties, times are looked up while lines and payments are copied. */
  @Test
  void manyBigPeriodsAreClosedAtOnceByFewConnections() {
    World world = elsewhere.begin(here.now());
    var days = new ArrayList<Period>();
    for (int i = 0; i < PERIODS; i++) {
      String action = "act" + i;
      days.add(
          world.open(
              world.board(
                  Rules.day()
                      .with("tiebreak: arrival")
                      .with("max-events: 1000000")
                      .with("actions: { %s: 1 }".formatted(action))
                      .with("rewards: [{ rule: thanks, taking-part: 5 }]"))));
      world.take(Fact.by("ann").does(action));
      world.take(Fact.by("bob").does(action));
    }
    List<PeriodId> due = days.stream().map(day -> world.due(day).id()).toList();

    List<CompletableFuture<ClosingResult>> closings =
        elsewhere.get(ClosingQueue.class).close(due, ClosingCause.of("test"));

    assertThat(closings)
        .extracting(closing -> closing.join().outcome() + " " + closing.join().detail())
        .containsOnly(Status.SETTLED + " null");
    assertThat(records.number("select count(*) from revision where id > 0")).isEqualTo(PERIODS);
    assertThat(records.balance("ann")).isEqualTo(5 * PERIODS);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aPoolThatIsTooSmallForOneBigClosingIsRefused() {
    assertThatThrownBy(() -> new FillPermits(CONNECTIONS - 1))
        .hasMessageContaining("spring.datasource.hikari.maximum-pool-size is 4")
        .hasMessageContaining("must be 5 or more");
  }
}
