package palmares.platform.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.redis.RedisAddress;
import palmares.platform.redis.RedisClient;
import palmares.platform.sql.RefusedWrites;
import palmares.platform.text.Texts;
import palmares.platform.threads.HealthSentences;
import palmares.platform.threads.Loops;
import palmares.testing.World;
import palmares.testing.WorldTest;

@WorldTest
class NodesTest {
  @Autowired private World world;
  @Autowired private JdbcClient jdbc;
  @Autowired private Clock clock;
  @Autowired private RedisAddress redis;
  @Autowired private RedisClient redisClient;
  @Autowired private DataSource database;
  @Autowired private RefusedWrites refused;
  @Autowired private Loops loops;

  private final MeterRegistry metrics = new SimpleMeterRegistry();

  private Nodes node(String name, String... roles) {
    return new Nodes(jdbc, clock, new Nodes.Settings(name, List.of(roles)), redis);
  }

  @Test
  void aServerRunsWhileItSendsHeartbeatsAndIsNotStopped() {
    Nodes first = node("a", "writer", "scheduler");
    Nodes second = node("b", "writer");
    first.beat(null);
    second.beat(null);
    assertRunning(2, 1);
    first.stop();
    assertRunning(1, 0);
    first.beat(null);
    assertRunning(2, 1);
    world.pass(Duration.ofSeconds(25));
    second.beat(null);
    assertRunning(2, 1);
    world.pass(Duration.ofSeconds(1));
    assertRunning(1, 0);
  }

  private void assertRunning(long writers, long schedulers) {
    assertThat(node("asks").running())
        .containsEntry("writer", writers)
        .containsEntry("scheduler", schedulers);
  }

  /** Otherwise counts are wrong, and the end of one hides the other. */
  @Test
  void twoProcessesWithOneNameDoNotOverwriteEachOther() {
    Nodes first = node("a", "writer");
    Nodes second = node("a", "scheduler");
    first.beat(null);
    second.beat(null);
    assertThat(second.holder().orElseThrow().process()).isEqualTo(ThisProcess.NAME);
    assertThat(first.holder()).isEmpty();
    assertRunning(1, 0);
    second.stop();
    assertRunning(1, 0);
    first.stop();
    second.beat(null);
    assertThat(second.holder()).isEmpty();
    assertRunning(0, 1);
    world.pass(Duration.ofSeconds(26));
    first.beat(null);
    assertThat(second.holder()).as("it was paused, and the name given").isPresent();
  }

  /** A process id of another container says nothing, though the host has the same name. */
  @Test
  void noServerStartsUnderANameUntilItsHolderIsDead() {
    process("here:7", 0);
    assertThatThrownBy(
            () ->
                starting(
                    time -> {
                      world.pass(Duration.ofSeconds(10));
                      process("here:7", 0);
                    }))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContainingAll("Another server has the name a", "here:7", "palmares.node");
    assertThatCode(() -> starting(time -> world.pass(Duration.ofSeconds(9))))
        .doesNotThrowAnyException();
    assertRunning(0, 0);
    assertThatCode(() -> starting(NodesTest::refuse)).doesNotThrowAnyException();
  }

  private static void refuse(Duration time) throws InterruptedException {
    throw new InterruptedException("it waits");
  }

  private void starting(ShutdownDelay.Pause pause) {
    new OwnName(node("a", "writer"), pause).afterPropertiesSet();
  }

  private void process(String name, int secondsAgo) {
    jdbc.sql(
            """
            insert into node (name, process, roles, format, redis, started_at, seen_at)
            values ('a', :process, '{writer}', 1, 'redis', :seen, :seen)
            on conflict (name) do update
            set process = excluded.process, seen_at = excluded.seen_at, stopped_at = null
            """)
        .param("process", name)
        .param("seen", world.now().minusSeconds(secondsAgo))
        .update();
  }

  @Test
  void theLastSweepOfAnyServerCounts() {
    assertThat(node("a").sweptAt()).isEmpty();
    node("a", "scheduler").swept();
    world.pass(Duration.ofSeconds(40));
    node("b", "scheduler").swept();
    world.pass(Duration.ofSeconds(60));
    assertThat(node("c").sweptAt()).contains(world.now().minusSeconds(60));
    assertRunning(0, 0);
  }

  @Test
  void rowsOfServersThatEndedAMonthAgoAreDeleted() {
    node("a", "writer").beat(null);
    world.pass(Duration.ofDays(31));
    node("b", "writer").beat(null);
    assertThat(jdbc.sql("select name from node").query(String.class).list()).containsExactly("b");
  }

  @Test
  void aPoolerWhoseModeChangesIsFoundUntilItIsCorrected() throws SQLException {
    var session = new SingleConnectionDataSource(database.getConnection(), true);
    var source = new DelegatingDataSource(session);
    var probe = new StoreProbe(redisClient, node("a"), source, refused, loops, clock, metrics);
    var health = new StoreHealth().dbHealthIndicator(probe);
    probe.checkSessions();
    assertThat(health.health())
        .isEqualTo(
            Health.down()
                .withDetail("error", Texts.english(new HealthSentences.SharedSessions()))
                .build());
    source.setTargetDataSource(database);
    probe.checkSessions();
    assertThat(health.health()).isEqualTo(Health.up().build());
    session.close();
  }
}
