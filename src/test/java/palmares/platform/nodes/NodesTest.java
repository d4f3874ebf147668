package palmares.platform.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.platform.redis.RedisAddress;
import palmares.testing.World;
import palmares.testing.WorldTest;

@WorldTest
class NodesTest {
  @Autowired private World world;
  @Autowired private JdbcClient jdbc;
  @Autowired private Clock clock;
  @Autowired private RedisAddress redis;

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
}
