package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.test.util.ReflectionTestUtils;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.platform.text.Texts;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.verification.Verification;
import palmares.testing.Contest;
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
  private static final int CONNECTIONS = FillPermits.MIN_CONNECTIONS;
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

  /**
   * A closing uses four, and one listens for changes of API keys: the verification has the last.
   */
  @Test
  void aBigPeriodIsVerifiedByTheOneConnectionThatAClosingLeaves() throws SQLException {
    World world = elsewhere.begin(here.now());
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    assertThat(records.number("select count(*) from revision where id > 0")).isOne();
    // As in a process that has anchored nothing yet.
    ReflectionTestUtils.setField(elsewhere.get(Anchors.class), "file", null);
    var used = new ArrayList<Connection>();
    try {
      for (int i = 0; i < FillPermits.CONNECTIONS_PER_FILLING; i++) {
        used.add(elsewhere.get(DataSource.class).getConnection());
      }
      var findings = elsewhere.get(Verification.class).verifySettled(null, null);
      assertThat(findings.named()).isEmpty();
      assertThat(Texts.english(findings.summary())).startsWith("verified: 1 period,");
    } finally {
      for (Connection connection : used) {
        connection.close();
      }
    }
  }

  @Test
  void aPoolThatIsTooSmallForOneBigClosingIsRefused() {
    assertThatThrownBy(() -> new FillPermits(CONNECTIONS - 1, new FillPermits.Settings(null, 1)))
        .hasMessageContaining("spring.datasource.hikari.maximum-pool-size is '5'")
        .hasMessageContaining("must be 6 or more");
  }
}
