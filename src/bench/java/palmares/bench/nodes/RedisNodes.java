package palmares.bench.nodes;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import palmares.bench.ShutdownHook;

/** Several servers of Redis that belong together, each of which can be killed. */
public abstract class RedisNodes implements AutoCloseable {
  /** The bus of a cluster has the port above by this number. */
  private static final int BUS_OFFSET = 10_000;

  private static final int MAX_PORT = 65_535;
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

  /** By default, a master delays its first copy by five seconds, for further replicas. */
  protected static final List<String> COPIES_AT_ONCE = List.of("--repl-diskless-sync-delay", "0");

  private final Path folder;
  private final RedisClient client = RedisClient.create();
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final ShutdownHook hook = new ShutdownHook(this::killAll);
  private boolean closed;

  private static final class Node {
    private final int port;
    private final List<String> options;
    private volatile Process process;

    Node(int port, List<String> options, Process process) {
      this.port = port;
      this.options = options;
      this.process = process;
    }
  }

  /**
   * @param parent in which a folder for the files of all nodes is created
   * @param name of that folder, to which a number is added
   */
  protected RedisNodes(Path parent, String name) throws IOException {
    this.folder = Files.createTempDirectory(parent.toAbsolutePath(), name);
    unpack();
  }

  /**
   * Starts the next node.
   *
   * @param options of its command line
   */
  protected final synchronized void add(String... options) throws IOException {
    int port = freePort();
    List<String> all = List.of(options);
    nodes.add(new Node(port, all, run(port, all)));
  }

  protected final int size() {
    return nodes.size();
  }

  protected final int port(int node) {
    return nodes.get(node).port;
  }

  /** The folder of a node's files. */
  protected final Path folder(int port) throws IOException {
    return Files.createDirectories(folder.resolve(Integer.toString(port)));
  }

  /** Sends a command to a node. */
  public final <T> T command(int node, Function<RedisCommands<String, String>, T> command) {
    try (StatefulRedisConnection<String, String> connection =
        client.connect(
            RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port(node))
                .withTimeout(Duration.ofSeconds(2))
                .build())) {
      return command.apply(connection.sync());
    }
  }

  /**
   * Waits until a condition holds. A node that does not answer does not meet it yet.
   *
   * @throws IllegalStateException if it does not hold in time
   */
  protected static void waitUntil(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("nodes of Redis were not ready after " + TIMEOUT);
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (RedisException notYet) {
      return false;
    }
  }

  /** The process of a node. */
  public final long pid(int node) {
    return nodes.get(node).process.pid();
  }

  public final String address(int node) {
    return "127.0.0.1:" + port(node);
  }

  /** Ends a node as {@code kill -9} does. */
  public final void kill(int node) {
    nodes.get(node).process.destroyForcibly().onExit().join();
  }

  /** Waits until a node that was a master follows another one. */
  public final void awaitReplica(int node) {
    waitUntil(() -> replication(node).contains("role:slave"));
  }

  /** Waits until a node that was a replica has taken the place of its master. */
  public final void awaitMaster(int node) {
    waitUntil(() -> replication(node).contains("role:master"));
  }

  /** Waits until a master has a replica that follows it. */
  public final void awaitCopied(int master) {
    waitUntil(() -> hasReplica(master));
  }

  protected final boolean hasReplica(int node) {
    return replication(node).contains("state=online");
  }

  protected final String replication(int node) {
    return command(node, commands -> commands.info("replication"));
  }

  /** Lets a node run again with the data that it has on its disk. */
  public final synchronized void runAgain(int node) throws IOException {
    Node dead = nodes.get(node);
    dead.process = run(dead.port, dead.options);
  }

  /** Lets a node hang, as one whose machine sleeps: its connections stay open. */
  public final void pause(int node) throws IOException {
    signal(node, "STOP");
  }

  /** Ends what {@link #pause} began. */
  public final void resume(int node) throws IOException {
    signal(node, "CONT");
  }

  private void signal(int node, String signal) throws IOException {
    String pid = Long.toString(nodes.get(node).process.pid());
    new ProcessBuilder("kill", "-" + signal, pid).inheritIO().start().onExit().join();
  }

  private Process run(int port, List<String> options) throws IOException {
    if (closed) {
      throw new IllegalStateException("the nodes are closed");
    }
    Path data = folder(port);
    return new ProcessBuilder(
            Stream.concat(
                    Stream.of(program().toString()),
                    Stream.concat(
                        options.stream(),
                        Stream.of(
                            "--bind",
                            "127.0.0.1",
                            "--port",
                            Integer.toString(port),
                            "--dir",
                            data.toString(),
                            "--logfile",
                            data.resolve("redis.log").toString())))
                .toList())
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
        Objects.requireNonNull(RedisNodes.class.getResourceAsStream(name), name)) {
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

  private synchronized void killAll() {
    closed = true;
    nodes.forEach(node -> node.process.destroyForcibly().onExit().join());
  }

  @Override
  public void close() throws IOException {
    hook.close();
    killAll();
    client.shutdown(0, 0, TimeUnit.SECONDS);
    FileSystemUtils.deleteRecursively(folder);
  }
}
