package palmares.testing;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A Redis Cluster of real servers: three masters with a third of the slots each, and a replica of
 * the first. Boards of a master without a replica stay away while it is dead, and others go on.
 *
 * <p>Nodes 0 to 2 are the first masters, 3 is the replica of 0. After a failover 0 and 3 have each
 * other's role.
 */
public final class RedisCluster extends RedisNodes {
  private static final int MASTERS = 3;
  private static final int SLOTS_OF_MASTER = SlotHash.SLOT_COUNT / MASTERS + 1;

  private RedisCluster() throws IOException {
    super("cluster-");
  }

  public static RedisCluster start() throws IOException {
    var cluster = new RedisCluster();
    try {
      cluster.begin();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void begin() throws IOException {
    for (int i = 0; i <= MASTERS; i++) {
      add(
          "--appendonly",
          "yes",
          "--save",
          "",
          "--cluster-enabled",
          "yes",
          "--cluster-node-timeout",
          "1000",
          "--cluster-require-full-coverage",
          "no");
    }
    for (int i = 0; i <= MASTERS; i++) {
      join(i);
    }
    await().until(() -> all(node -> info(node).contains("cluster_known_nodes:4")));
    String first = command(0, RedisCommands::clusterMyId);
    command(MASTERS, commands -> commands.clusterReplicate(first));
    await().until(() -> all(node -> info(node).contains("cluster_state:ok")));
    await().until(() -> hasReplica(0));
  }

  private void join(int i) {
    await().ignoreExceptions().until(() -> command(i, RedisCommands::ping).equals("PONG"));
    command(i, commands -> commands.clusterSetConfigEpoch(i + 1L));
    if (i < MASTERS) {
      int from = i * SLOTS_OF_MASTER;
      int to = Math.min(from + SLOTS_OF_MASTER, SlotHash.SLOT_COUNT) - 1;
      command(i, commands -> commands.clusterAddSlots(IntStream.rangeClosed(from, to).toArray()));
    }
    if (i > 0) {
      command(i, commands -> commands.clusterMeet("127.0.0.1", port(0)));
    }
  }

  private boolean all(IntPredicate isReady) {
    return IntStream.range(0, size()).allMatch(isReady);
  }

  private String info(int node) {
    return command(node, RedisCommands::clusterInfo);
  }

  /** The addresses of all nodes, as {@code spring.data.redis.cluster.nodes} names them. */
  public String addresses() {
    return IntStream.range(0, size()).mapToObj(this::address).collect(Collectors.joining(","));
  }

  /** Which of the first masters has the slot of a key. */
  public static int masterOf(byte[] key) {
    return SlotHash.getSlot(key) / SLOTS_OF_MASTER;
  }

  /** Starts a node again, with the data that it has on its disk, and waits until it is known. */
  public void restart(int node) throws IOException {
    runAgain(node);
    await()
        .ignoreExceptionsInstanceOf(RedisException.class)
        .until(() -> info(node).contains("cluster_state:ok"));
  }

  /** Which node has the first third of the slots, once the other one of 0 and 3 follows it. */
  public int masterWithReplica() {
    await().until(() -> hasReplica(0) || hasReplica(MASTERS));
    return hasReplica(MASTERS) ? MASTERS : 0;
  }

  private boolean hasReplica(int node) {
    return replication(node).contains("state=online");
  }

  /** The replica of {@link #masterWithReplica}. */
  public int replicaOf(int master) {
    return MASTERS - master;
  }

  private String replication(int node) {
    return command(node, commands -> commands.info("replication"));
  }

  /** Waits until a node that was a master follows another one. */
  public void awaitReplica(int node) {
    awaitRole(node, "role:slave");
  }

  /** Waits until a replica has taken the place of its master. */
  public void awaitMaster(int node) {
    awaitRole(node, "role:master");
  }

  private void awaitRole(int node, String role) {
    await()
        .ignoreExceptionsInstanceOf(RedisException.class)
        .until(() -> replication(node).contains(role));
  }
}
