package palmares.testing;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.springframework.util.FileSystemUtils;

/**
 * A Redis Cluster of real servers: three masters with a third of the slots each, and a replica of
 * the first. Boards of a master without a replica stay away while it is dead, and others go on.
 */
public final class RedisCluster implements AutoCloseable {
  private static final int MASTERS = 3;
  private static final int SLOTS_OF_MASTER = SlotHash.SLOT_COUNT / MASTERS + 1;

  /** The bus of the cluster has the port above by this number. */
  private static final int BUS_OFFSET = 10_000;

  private static final int MAX_PORT = 65_535;

  private final Path folder;
  private final RedisClient client = RedisClient.create();
  private final List<Node> nodes = new ArrayList<>();

  private static final class Node {
    private final int port;
    private Process process;

    Node(int port, Process process) {
      this.port = port;
      this.process = process;
    }
  }

  private RedisCluster(Path folder) {
    this.folder = folder;
  }

  public static RedisCluster start() throws IOException {
    var cluster =
        new RedisCluster(Files.createTempDirectory(Path.of("target").toAbsolutePath(), "cluster-"));
    try {
      cluster.begin();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void begin() throws IOException {
    unpack();
    for (int i = 0; i <= MASTERS; i++) {
      int port = freePort();
      nodes.add(new Node(port, run(port)));
    }
    for (int i = 0; i <= MASTERS; i++) {
      join(i);
    }
    await().until(() -> all(node -> info(node).contains("cluster_known_nodes:4")));
    String first = command(0, RedisCommands::clusterMyId);
    command(MASTERS, commands -> commands.clusterReplicate(first));
    await().until(() -> all(node -> info(node).contains("cluster_state:ok")));
    await()
        .until(() -> command(0, commands -> commands.info("replication")).contains("state=online"));
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
      command(i, commands -> commands.clusterMeet("127.0.0.1", nodes.get(0).port));
    }
  }

  private boolean all(Function<Integer, Boolean> isReady) {
    for (int i = 0; i < nodes.size(); i++) {
      if (!isReady.apply(i)) {
        return false;
      }
    }
    return true;
  }

  private String info(int node) {
    return command(node, RedisCommands::clusterInfo);
  }

  /** Sends a command to a node: 0 to 2 are the first masters, 3 is the replica of 0. */
  public <T> T command(int node, Function<RedisCommands<String, String>, T> command) {
    try (StatefulRedisConnection<String, String> connection =
        client.connect(
            RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(nodes.get(node).port)
                .withTimeout(Duration.ofSeconds(2))
                .build())) {
      return command.apply(connection.sync());
    }
  }

  public String address(int node) {
    return "127.0.0.1:" + nodes.get(node).port;
  }

  /** The addresses of all nodes, as {@code spring.data.redis.cluster.nodes} names them. */
  public String addresses() {
    var addresses = new ArrayList<String>();
    for (int i = 0; i < nodes.size(); i++) {
      addresses.add(address(i));
    }
    return String.join(",", addresses);
  }

  /** Which of the first masters has the slot of a key. */
  public static int masterOf(byte[] key) {
    return SlotHash.getSlot(key) / SLOTS_OF_MASTER;
  }

  /** Ends a node as {@code kill -9} does. */
  public void kill(int node) {
    nodes.get(node).process.destroyForcibly().onExit().join();
  }

  /** Starts a node again, with the data that it has on its disk, and waits until it is known. */
  public void restart(int node) throws IOException {
    nodes.get(node).process = run(nodes.get(node).port);
    await()
        .ignoreExceptionsInstanceOf(RedisException.class)
        .until(() -> info(node).contains("cluster_state:ok"));
  }

  /** Waits until the replica has taken the place of the first master. */
  public void awaitFailover() {
    await()
        .until(
            () ->
                command(MASTERS, commands -> commands.info("replication")).contains("role:master"));
  }

  private Process run(int port) throws IOException {
    Path data = Files.createDirectories(folder.resolve(Integer.toString(port)));
    return new ProcessBuilder(
            program().toString(),
            "--bind",
            "127.0.0.1",
            "--port",
            Integer.toString(port),
            "--dir",
            data.toString(),
            "--appendonly",
            "yes",
            "--save",
            "",
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            "1000",
            "--cluster-require-full-coverage",
            "no",
            "--logfile",
            data.resolve("redis.log").toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private Path program() {
    return folder.resolve("redis-server");
  }

  private void unpack() throws IOException {
    String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    String system = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
    String name = "/redis-server-%s-%s".formatted(system, machine);
    try (InputStream packed =
        Objects.requireNonNull(RedisCluster.class.getResourceAsStream(name), name)) {
      Files.copy(packed, program());
    }
    Files.setPosixFilePermissions(program(), PosixFilePermissions.fromString("rwx------"));
  }

  private static int freePort() throws IOException {
    while (true) {
      try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        int port = socket.getLocalPort();
        if (port + BUS_OFFSET <= MAX_PORT) {
          return port;
        }
        // Sockets of this machine are given out from a range that may lie above.
        int lower = port - BUS_OFFSET - (port % 1_000);
        try (var below = new ServerSocket(lower, 1, InetAddress.getLoopbackAddress())) {
          return below.getLocalPort();
        } catch (IOException inUse) {
          // Another one is tried.
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    nodes.forEach(node -> node.process.destroyForcibly().onExit().join());
    client.shutdown(0, 0, TimeUnit.SECONDS);
    FileSystemUtils.deleteRecursively(folder);
  }
}
