package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.nodes.RedisCluster;
import palmares.operations.report.MonthReport.Month;
import palmares.period.Period;
import palmares.platform.sql.ReplicaReads;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.Elsewhere;
import palmares.testing.Proxy;
import palmares.testing.StreamingReplica;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Reports read a streaming replica, and never less than what was written before. */
@WorldTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReplicaTest {
  private static final MemberId ANN = new MemberId("ann");

  private StreamingReplica postgres;
  private Proxy toReplica;
  private RedisCluster redis;
  private Elsewhere server;
  @Autowired private World here;

  @BeforeAll
  void aServerOnAPrimaryWithAReplica() throws IOException {
    postgres = StreamingReplica.start();
    URI replica = URI.create(postgres.replicaUrl().substring("jdbc:".length()));
    toReplica = Proxy.to(replica.getHost(), replica.getPort());
    // The other one has the boards of another database.
    redis = RedisCluster.start(Path.of("target"), 1);
    server =
        Elsewhere.on(
            details(postgres.primaryUrl()),
            "--spring.data.redis.cluster.nodes=" + redis.addresses(),
            "--palmares.live.answer-timeout=5s",
            "--palmares.replica.url="
                + postgres.replicaUrl().replace(":" + replica.getPort(), ":" + toReplica.port()),
            "--palmares.replica.max-wait=2s");
  }

  @AfterAll
  void stop() throws IOException {
    if (server != null) {
      server.close();
      redis.close();
      toReplica.close();
      postgres.close();
    }
  }

  private static JdbcConnectionDetails details(String url) {
    return new JdbcConnectionDetails() {
      @Override
      public String getUsername() {
        return "postgres";
      }

      @Override
      public String getPassword() {
        return "";
      }

      @Override
      public String getJdbcUrl() {
        return url;
      }
    };
  }

  /** Before the other test promotes it. */
  @Test
  @Order(1)
  void noServerStartsOnAReplica() {
    assertThatThrownBy(
            () ->
                Elsewhere.on(
                    details(postgres.replicaUrl()),
                    "--spring.data.redis.cluster.nodes=" + redis.addresses()))
        .hasStackTraceContaining("it is a replica, which takes no writes");
  }

  private Period settled() {
    World world = server.begin(here.now());
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    return day;
  }

  private List<?> month(Instant now, int ago) {
    YearMonth month = YearMonth.from(now.atZone(ZoneOffset.UTC)).minusMonths(ago);
    return server.get(MonthReport.class).sums(new Month(month, ZoneOffset.UTC));
  }

  private double reads(String from) {
    return server
        .get(MeterRegistry.class)
        .get("palmares.replica.reads")
        .tag("from", from)
        .counter()
        .count();
  }

  private List<?> lines(Period day) {
    return server.get(MemberHistory.class).page(day.board(), ANN, null, 10).lines();
  }

  @Test
  @Order(2)
  @Timeout(120)
  void reportsReadTheReplicaAsSoonAsTheyAreWrittenAndThePrimaryIfItLagsOrIsAway()
      throws IOException {
    Period first = settled();
    double before = reads("replica");
    assertThat(lines(first)).hasSize(1);
    assertThat(reads("replica")).isEqualTo(before + 1);
    assertThat(readsReplica()).isTrue();
    boolean within =
        Objects.requireNonNull(
            server.get(TransactionTemplate.class).execute(status -> readsReplica()));
    assertThat(within).as("in a transaction of the primary").isFalse();

    double months = reads("replica");
    assertThat(month(here.now(), 0)).as("the month that is not over").isNotEmpty();
    assertThat(month(here.now(), 1)).as("its books are closed on the primary").isEmpty();
    assertThat(reads("replica")).isEqualTo(months + 2);

    postgres.pauseReplay();
    Period second = settled();
    double lagging = reads("primary");
    assertThat(lines(second)).hasSize(1);
    assertThat(reads("primary")).isEqualTo(lagging + 1);
    postgres.resumeReplay();
    assertThat(lines(second)).hasSize(1);
    assertThat(reads("primary")).isEqualTo(lagging + 1);

    // The pool lends a connection that was used a moment ago without asking whether it answers.
    toReplica.vanish();
    assertThat(lines(second)).as("the replica's machine is gone").hasSize(1);
    assertThat(reads("primary")).isEqualTo(lagging + 2);
    toReplica.restore();
    assertThat(readsReplica()).isTrue();

    postgres.promoteReplica();
    assertThat(readsReplica()).as("a promoted replica").isFalse();
    postgres.stopReplica();
    assertThat(lines(second)).hasSize(1);
    assertThat(readsReplica()).isFalse();
  }

  private boolean readsReplica() {
    JdbcClient jdbc = server.get(JdbcClient.class);
    return server
        .get(ReplicaReads.class)
        .call(() -> jdbc.sql("select pg_is_in_recovery()").query(Boolean.class).single());
  }
}
