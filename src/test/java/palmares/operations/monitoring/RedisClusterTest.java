package palmares.operations.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.Partitions;
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
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import palmares.bench.nodes.RedisCluster;
import palmares.live.board.LiveKeys;
import palmares.live.journal.Journal;
import palmares.operations.monitoring.InstallationHealth.Trouble;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.platform.Refusal;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Contest;
import palmares.testing.Elsewhere;
import palmares.testing.Fact;
import palmares.testing.HeldUpClosing;
import palmares.testing.HeldUpClosing.Moment;
import palmares.testing.LoneClusterNode;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
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
  @Autowired private Servers servers;
  @Autowired private DataSource database;
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

  @ParameterizedTest
  @MethodSource("moments")
  void aMasterThatDiesInAClosingIsFollowedAndPaysOnce(Moment moment) throws Exception {
    int master = cluster.masterWithReplica();
    int replica = RedisCluster.replicaOf(master);
    World world = server.begin(here.now());
    Period day = world.open(board(world, 0));
    world.take(FACTS);
    awaitCopied(master);
    world.due(day);
    try (var held = new HeldUpClosing(servers, database, moment)) {
      var closing = CompletableFuture.supplyAsync(() -> world.close(day));
      held.await();
      cluster.kill(master);
      held.release();
      closing.join();
    }
    cluster.awaitMaster(replica);
    settle(world, day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
    cluster.restart(master);
    cluster.awaitReplica(master);
  }

  static Stream<Moment> moments() {
    return Integer.getInteger("tests.redis-failovers", 0) > 0
        ? Stream.of(Moment.values())
        : Stream.of(Moment.SEAL, Moment.POST);
  }

  private static void settle(World world, Period day) {
    await()
        .atMost(Duration.ofSeconds(40))
        .until(
            () -> {
              world.pass(Duration.ofMinutes(1));
              return List.of(ClosingResult.Status.SETTLED, ClosingResult.Status.ALREADY_SETTLED)
                  .contains(world.close(day).outcome());
            });
  }

  @Test
  void aBoardWhoseSlotMovesSaysSoAndGoesOnExactly() {
    World world = server.begin(here.now());
    Period day = world.open(board(world, 1));
    world.take(FACTS.subList(0, 5));
    try (var slot = new MovingSlot(day)) {
      slot.open();
      assertMoving(world, FACTS.get(5));
      slot.moveKeys(3);
      assertMoving(world, FACTS.get(5));
      slot.moveKeys(Integer.MAX_VALUE);
      slot.give();
      takeOnceFollowed(world, FACTS.get(5));
      world.take(FACTS.subList(6, FACTS.size()));
      world.settle(day);
      assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    }
  }

  @Test
  void aBoardThatIsTornByAForcedSlotIsHaltedAndRebuilt() {
    World world = server.begin(here.now());
    Period day = world.open(board(world, 1));
    world.take(FACTS.subList(0, 5));
    server.get(Journal.class).drain(day);
    try (var slot = new MovingSlot(day)) {
      slot.open();
      slot.move(new String(LiveKeys.of(day).meta(), UTF_8));
      slot.give();
      await()
          .ignoreExceptionsInstanceOf(RedisUnavailable.class)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> world.take(FACTS.get(5)))
                      .isInstanceOf(Refusal.class)
                      .hasMessageContaining("is torn"));
      server.get(Rebuild.class).run(day.id(), Present.REPLACE, null, () -> {}, done -> {});
      world.take(FACTS.subList(5, FACTS.size()));
      world.settle(day);
      assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    }
  }

  private static void assertMoving(World world, Fact fact) {
    assertThatThrownBy(() -> world.take(fact))
        .isInstanceOfSatisfying(
            RedisUnavailable.class, e -> assertThat(e.reason()).isEqualTo(Reason.SLOT_MOVING));
  }

  /** The slot of a board of the second master, which the third one gets, and gives back. */
  private final class MovingSlot implements AutoCloseable {
    private final int slot;
    private final String from = id(1);
    private final String to = id(2);

    MovingSlot(Period period) {
      slot = SlotHash.getSlot(LiveKeys.of(period).meta());
    }

    private String id(int node) {
      return cluster.command(node, RedisCommands::clusterMyId);
    }

    void open() {
      cluster.command(2, node -> node.clusterSetSlotImporting(slot, from));
      cluster.command(1, node -> node.clusterSetSlotMigrating(slot, to));
    }

    void moveKeys(int count) {
      cluster.command(1, node -> node.clusterGetKeysInSlot(slot, count)).forEach(this::move);
    }

    void move(String key) {
      String[] target = cluster.address(2).split(":");
      cluster.command(
          1, node -> node.migrate(target[0], Integer.parseInt(target[1]), key, 0, 5_000));
    }

    /** The new master announces it, and the former one deletes what it still has. */
    void give() {
      cluster.command(2, node -> node.clusterSetSlotNode(slot, to));
      await().until(() -> owner(1).equals(to));
    }

    private String owner(int node) {
      return cluster
          .command(node, RedisCommands::clusterNodes)
          .lines()
          .filter(line -> line.contains("master"))
          .map(ClusterPartitionParser::parse)
          .flatMap(Partitions::stream)
          .filter(each -> each.hasSlot(slot))
          .findFirst()
          .orElseThrow()
          .getNodeId();
    }

    @Override
    public void close() {
      cluster.command(1, node -> node.clusterSetSlotImporting(slot, to));
      cluster.command(2, node -> node.clusterSetSlotMigrating(slot, from));
      for (String key : cluster.command(2, node -> node.clusterGetKeysInSlot(slot, 1_000))) {
        cluster.command(2, node -> node.del(key));
      }
      cluster.command(1, node -> node.clusterSetSlotNode(slot, from));
      await().until(() -> owner(2).equals(from));
    }
  }

  @Test
  void aServerThatKnowsOneNodeWarns(CapturedOutput output) throws IOException {
    try (Elsewhere other = on(postgres, cluster.address(2))) {
      assertThat(other).isNotNull();
      assertThat(output.getAll())
          .contains(TWO_NAMED + " of the Redis cluster at " + cluster.address(2));
    }
  }

  @Test
  void aNodeOfAnotherClusterIsRefusedByName() throws IOException {
    try (LoneClusterNode other = LoneClusterNode.start(Path.of("target"))) {
      String nodes = cluster.address(1) + "," + cluster.address(2) + "," + other.address(0);
      assertThatThrownBy(() -> on(postgres, nodes))
          .hasStackTraceContaining(other.address(0) + " is a node of another cluster");
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
