package palmares.operations.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import palmares.bench.nodes.RedisCluster;
import palmares.live.board.LiveKeys;
import palmares.operations.monitoring.InstallationHealth.Trouble;
import palmares.period.Period;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.testing.Contest;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * A server on a Redis Cluster says which node fails, since when and whose boards that stops, and
 * goes on with the others. After a failover nothing that was acknowledged and replicated is lost.
 */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class RedisClusterTest {
  private static final List<Fact> FACTS = Contest.facts();
  private static final String TWO_NAMED = "only one node is named";

  @Autowired private World here;
  @Autowired private Records records;
  @Autowired private JdbcConnectionDetails postgres;

  private RedisCluster cluster;
  private Elsewhere server;

  /** Each test leaves the cluster with three masters and the replica of one. */
  @BeforeAll
  void start(CapturedOutput output, @Autowired JdbcConnectionDetails postgres) throws IOException {
    cluster = RedisCluster.start(Path.of("target"), 1);
    server = on(postgres, cluster.addresses());
    assertThat(output.getAll()).doesNotContain(TWO_NAMED);
  }

  @AfterAll
  void stop() throws IOException {
    if (server != null) {
      server.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Elsewhere on(JdbcConnectionDetails postgres, String nodes) {
    return Elsewhere.on(
        postgres,
        "--spring.data.redis.cluster.nodes=" + nodes,
        "--spring.data.redis.lettuce.cluster.refresh.period=200ms",
        "--palmares.live.answer-timeout=1s");
  }

  /** A board on each of the three masters. */
  private static Map<Integer, Board> spread(World world) {
    var boards = new HashMap<Integer, Board>();
    while (boards.size() < 3) {
      Board board = world.board(Rules.day());
      take(world, board);
      boards.putIfAbsent(RedisCluster.masterOf(LiveKeys.of(world.open(board)).meta()), board);
    }
    return boards;
  }

  @Test
  void aNodeThatDiesIsNamedWithItsBoardsAndOthersGoOn() throws IOException {
    World world = server.begin(here.now());
    Map<Integer, Board> boards = spread(world);
    HeartbeatRound heartbeats = server.get(HeartbeatRound.class);
    heartbeats.run();
    String dead = cluster.address(1);
    assertThat(up(server))
        .containsOnlyKeys(cluster.address(cluster.masterWithReplica()), dead, cluster.address(2))
        .containsValues(1.0)
        .doesNotContainValue(0.0);
    assertThat(health(server).getStatus()).isEqualTo(Status.UP);
    assertThat(String.valueOf(health(server).getDetails().get("servers")))
        .startsWith("the Redis cluster at " + cluster.address(0));

    cluster.kill(1);
    await().untilAsserted(() -> assertThat(redisTroubles(server)).hasSize(1));
    heartbeats.run();
    world.pass(Duration.ofMinutes(1));
    heartbeats.run();
    Trouble trouble = redisTroubles(server).get(0);
    assertThat(trouble.node()).isEqualTo(dead);
    assertThat(trouble.since()).isEqualTo(world.now().minusSeconds(60));
    String said = Texts.english(trouble.said());
    assertThat(said).contains(dead, name(boards, 1));
    assertThat(said).doesNotContain(name(boards, 0)).doesNotContain(name(boards, 2));
    assertThat(up(server)).containsEntry(dead, 0.0).containsEntry(cluster.address(2), 1.0);
    assertThat(health(server).getStatus()).isEqualTo(new Status("WARN"));
    assertThat(health(server).getDetails()).containsEntry("nodes", List.of(dead));
    assertThatThrownBy(() -> take(world, boards.get(1))).isInstanceOf(RedisUnavailable.class);
    take(world, boards.get(2));

    cluster.restart(1);
    await().untilAsserted(() -> assertThat(redisTroubles(server)).isEmpty());
    heartbeats.run();
    assertThat(up(server)).containsEntry(dead, 1.0);
    take(world, boards.get(1));
  }

  @Test
  void aFailoverIsFollowedAndItsBoardSettlesExactly() throws IOException {
    int master = cluster.masterWithReplica();
    int replica = RedisCluster.replicaOf(master);
    World world = server.begin(here.now());
    Period day = world.open(board(world, 0));
    world.take(FACTS);
    awaitCopied(master);
    cluster.kill(master);
    cluster.awaitMaster(replica);
    takeOnceFollowed(world, FACTS.get(0));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    server.get(HeartbeatRound.class).run();
    assertThat(up(server))
        .containsOnlyKeys(cluster.address(replica), cluster.address(1), cluster.address(2));
    cluster.restart(master);
    cluster.awaitReplica(master);
  }

  @Test
  void aMasterThatHangsIsReplacedAndTakesNoEventsWhenItGoesOn() throws IOException {
    int master = cluster.masterWithReplica();
    World world = server.begin(here.now());
    Period day = world.open(board(world, 0));
    world.take(FACTS.subList(0, 5));
    awaitCopied(master);
    cluster.pause(master);
    cluster.awaitMaster(RedisCluster.replicaOf(master));
    takeOnceFollowed(world, FACTS.get(5));
    cluster.resume(master);
    cluster.awaitReplica(master);
    world.take(FACTS.subList(6, FACTS.size()));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
  }

  @Test
  void aServerThatKnowsOneNodeWarns(CapturedOutput output) throws IOException {
    try (Elsewhere other = on(postgres, cluster.address(2))) {
      assertThat(other).isNotNull();
      assertThat(output.getAll())
          .contains(TWO_NAMED + " of the Redis cluster at " + cluster.address(2));
    }
  }

  /** Until the replica has all that the master has answered. */
  private void awaitCopied(int master) {
    long replicas = cluster.command(master, commands -> commands.waitForReplication(1, 5_000));
    assertThat(replicas).isOne();
  }

  private static void takeOnceFollowed(World world, Fact fact) {
    await()
        .atMost(Duration.ofSeconds(40))
        .ignoreExceptionsInstanceOf(RedisUnavailable.class)
        .until(() -> world.take(fact) != null);
  }

  private static Board board(World world, int master) {
    while (true) {
      Board board = world.board(Contest.rules());
      Period probe = world.open(board);
      if (RedisCluster.masterOf(LiveKeys.of(probe).meta()) == master) {
        return board;
      }
    }
  }

  private static void take(World world, @Nullable Board board) {
    world.take(Fact.by("ann").to(Objects.requireNonNull(board)));
  }

  private static String name(Map<Integer, Board> boards, int master) {
    return Objects.requireNonNull(boards.get(master)).id().value();
  }

  private static List<Trouble> redisTroubles(Elsewhere server) {
    return server.get(InstallationHealth.class).troubles().stream()
        .filter(trouble -> trouble.part() == InstallationHealth.Part.REDIS)
        .toList();
  }

  private static Map<String, Double> up(Elsewhere server) {
    var up = new TreeMap<String, Double>();
    for (Gauge gauge :
        server.get(MeterRegistry.class).get("palmares.store.up").tag("store", "redis").gauges()) {
      up.put(Objects.requireNonNull(gauge.getId().getTag("node")), gauge.value());
    }
    return up;
  }

  private static Health health(Elsewhere server) {
    return Objects.requireNonNull(
        server.get("redisHealthIndicator", HealthIndicator.class).health());
  }
}
