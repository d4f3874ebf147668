package palmares.live.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import palmares.bench.nodes.RedisCluster;
import palmares.bench.nodes.RedisNodes;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.platform.redis.RedisUnavailable;
import palmares.testing.Elsewhere;
import palmares.testing.FaultJournal;
import palmares.testing.Records;
import palmares.testing.RedisSentinels;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * While clients write, masters of Redis are killed or hang, and their replicas take over. Each
 * event that was acknowledged counts once. Of fast boards those may be lost that a master
 * acknowledged a moment before, as Redis does not wait for replicas, or between its return and the
 * moment in which it learned that it is no master any more. With Sentinel these are seconds, unless
 * it needs a replica to write.
 */
@WorldTest
class RedisFailoverCampaignTest {
  /** How often a master is lost: -Dtests.redis-failovers=200. Other tests lose one of each kind. */
  private static final int FAILOVERS = Integer.getInteger("tests.redis-failovers", 0);

  private static final int FAILOVERS_OF_A_ROUND = 10;

  private static final long SEED = Long.getLong("tests.redis-failover-seed", 37);

  /** What a replica may lack of what its master has answered. */
  private static final Duration UNCOPIED = Duration.ofMillis(500);

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Autowired private World here;
  @Autowired private Records records;
  @Autowired private JdbcConnectionDetails postgres;

  private Random random = new Random(SEED);
  private final List<Span> uncopied = new ArrayList<>();
  private int rebuilt;

  @BeforeEach
  void onlyInACampaign() {
    assumeThat(FAILOVERS).isPositive();
  }

  @Test
  void aClusterThatLosesMastersLosesNothingThatWasCopied() throws IOException {
    try (RedisCluster cluster = RedisCluster.start(Path.of("target"), RedisCluster.MASTERS);
        Elsewhere server =
            Elsewhere.on(
                postgres,
                "--spring.data.redis.cluster.nodes=" + cluster.addresses(),
                "--spring.data.redis.lettuce.cluster.refresh.period=200ms",
                "--palmares.live.answer-timeout=1s")) {
      int[] masters = {0, 1, 2};
      run(
          "a master of a Redis Cluster is killed or hangs",
          server,
          () -> {
            int shard = random.nextInt(masters.length);
            int master = masters[shard];
            masters[shard] = RedisCluster.replicaOf(master);
            Span back = lose(cluster, master, masters[shard]);
            uncopied.add(back);
          });
    }
  }

  @Test
  void aMasterThatSentinelsReplaceLosesNothingThatWasCopied() throws IOException {
    try (RedisSentinels sentinels = RedisSentinels.startCautious();
        Elsewhere server =
            Elsewhere.on(
                postgres,
                "--spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
                "--spring.data.redis.sentinel.nodes=" + sentinels.addresses(),
                "--palmares.live.answer-timeout=1s")) {
      int[] master = {0};
      run(
          "a master that sentinels watch is killed or hangs",
          server,
          () -> {
            int lost = master[0];
            master[0] = 1 - lost;
            Span back = lose(sentinels, lost, master[0]);
            // It counts its replicas ten times a second.
            uncopied.add(new Span(back.from(), back.from() + UNCOPIED.toNanos()));
          });
    }
  }

  /** A time, as {@link System#nanoTime}. */
  private record Span(long from, long to) {
    boolean holds(long at) {
      return at >= from && at <= to;
    }
  }

  private interface Loss {
    void happen() throws IOException;
  }

  private void run(String fault, Elsewhere server, Loss loss) throws IOException {
    World world = server.begin(here.now());
    new FaultJournal("failovers", fault, SEED)
        .rounds(
            FAILOVERS,
            FAILOVERS_OF_A_ROUND,
            (failovers, seed) -> {
              random = new Random(seed);
              return play(world, server, failovers, loss);
            });
  }

  /** Returns how many events were acknowledged. */
  private long play(World world, Elsewhere server, int failovers, Loss loss) throws IOException {
    uncopied.clear();
    rebuilt = 0;
    DrainRound round = server.get(DrainRound.class);
    try (var writers = new SteadyWriters(world, records, round, "Redis")) {
      writers.start();
      for (int failover = 0; failover < failovers; failover++) {
        SteadyWriters.pace(random.nextInt(200));
        writers.awaitEvents();
        loss.happen();
        awaitRepaired(server, writers);
        writers.awaitEvents();
      }
      writers.stop();
      drainAll(round);
      awaitRepaired(server, writers);
      SteadyWriters.Balance balance = writers.settleAll();
      assertThat(balance.unapplied()).as("PostgreSQL has them").isEmpty();
      assertThat(balance.committedLost()).as("a committed board loses nothing").isEmpty();
      assertThat(balance.lost().values())
          .as("lost")
          .allMatch(at -> uncopied.stream().anyMatch(span -> span.holds(at)));
      System.out.printf(
          "%d masters lost: %d events acknowledged, of which %d are lost that no replica had; %d"
              + " boards rebuilt; %d requests sent again%n",
          failovers, balance.acknowledged(), balance.lost().size(), rebuilt, writers.refused());
      return balance.acknowledged();
    }
  }

  /**
   * Waits until the replica is the master, and the lost node its replica.
   *
   * @return the time in which the lost node was back, and took itself for the master
   */
  private Span lose(RedisNodes nodes, int master, int replica) throws IOException {
    boolean dies = random.nextBoolean();
    long lost = System.nanoTime();
    uncopied.add(new Span(lost - UNCOPIED.toNanos(), lost + UNCOPIED.toNanos()));
    if (dies) {
      nodes.kill(master);
    } else {
      nodes.pause(master);
    }
    nodes.awaitMaster(replica);
    long back = System.nanoTime();
    if (dies) {
      nodes.runAgain(master);
    } else {
      nodes.resume(master);
    }
    nodes.awaitReplica(master);
    var demoted = new Span(back, System.nanoTime());
    nodes.awaitCopied(replica);
    return demoted;
  }

  private static void drainAll(DrainRound round) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(RedisUnavailable.class)
        .until(
            () -> {
              round.run(() -> true);
              return true;
            });
  }

  /** Does what operators do about boards that went back. */
  private void awaitRepaired(Elsewhere server, SteadyWriters writers) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              writers.requireRunning();
              List<JournalFaults.Fault> faults = server.get(JournalFaults.class).all();
              for (JournalFaults.Fault fault : faults) {
                if (fault.kind() == JournalFaults.Kind.WENT_BACK) {
                  server
                      .get(Rebuild.class)
                      .run(
                          writers.period(fault.board()).id(),
                          Present.REPLACE,
                          null,
                          () -> {},
                          done -> {});
                  rebuilt++;
                }
              }
              assertThat(faults).isEmpty();
            });
  }
}
