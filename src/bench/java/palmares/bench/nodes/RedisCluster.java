package palmares.bench.nodes;

import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A Redis Cluster of real servers: three masters with a third of the slots each, and a replica of
 * the first or of each. Boards of a master without a replica stay away while it is dead, and others
 * go on.
 *
 * <p>Nodes 0 to 2 are the first masters, 3 is the replica of 0, 4 that of 1, and 5 that of 2. After
 * a failover both have each other's role.
 */
public final class RedisCluster extends RedisNodes {
  public static final int MASTERS = 3;

  private static final int SLOTS_OF_MASTER = SlotHash.SLOT_COUNT / MASTERS + 1;

  private final int replicas;
  private final Duration nodeTimeout;

  private RedisCluster(Path parent, int replicas, Duration nodeTimeout) throws IOException {
    super(parent, "cluster-");
    this.replicas = replicas;
    this.nodeTimeout = nodeTimeout;
  }

  /** Starts one that takes a node for dead that has not answered for a second. */
  public static RedisCluster start(Path parent, int replicas) throws IOException {
    return start(parent, replicas, Duration.ofSeconds(1));
  }

  /**
   * Starts one.
   *
   * @param parent in which a folder for the files of all nodes is created
   * @param replicas how many masters have a replica, from 1 to {@link #MASTERS}
   * @param nodeTimeout after which a node that does not answer is taken for dead
   */
  public static RedisCluster start(Path parent, int replicas, Duration nodeTimeout)
      throws IOException {
    var cluster = new RedisCluster(parent, replicas, nodeTimeout);
    try {
      cluster.begin();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void begin() throws IOException {
    int nodes = MASTERS + replicas;
    var options = new ArrayList<>(COPIES_AT_ONCE);
    options.addAll(List.of("--appendonly", "yes", "--save", "", "--cluster-enabled", "yes"));
    options.addAll(List.of("--cluster-node-timeout", Long.toString(nodeTimeout.toMillis())));
    options.addAll(List.of("--cluster-require-full-coverage", "no"));
    for (int i = 0; i < nodes; i++) {
      add(options.toArray(String[]::new));
    }
    for (int i = 0; i < nodes; i++) {
      join(i);
    }
    waitUntil(() -> all(node -> info(node).contains("cluster_known_nodes:" + nodes)));
    for (int i = 0; i < replicas; i++) {
      String master = command(i, RedisCommands::clusterMyId);
      command(MASTERS + i, commands -> commands.clusterReplicate(master));
    }
    waitUntil(() -> all(node -> info(node).contains("cluster_state:ok")));
    for (int i = 0; i < replicas; i++) {
      awaitCopied(i);
    }
  }

  private void join(int i) {
    waitUntil(() -> command(i, RedisCommands::ping).equals("PONG"));
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
    waitUntil(() -> info(node).contains("cluster_state:ok"));
  }

  /** Which node has the first third of the slots, once the other one of 0 and 3 follows it. */
  public int masterWithReplica() {
    waitUntil(() -> hasReplica(0) || hasReplica(MASTERS));
    return hasReplica(MASTERS) ? MASTERS : 0;
  }

  /** The other one of two nodes that have each other's role after a failover. */
  public static int replicaOf(int master) {
    return (master + MASTERS) % (2 * MASTERS);
  }
}
