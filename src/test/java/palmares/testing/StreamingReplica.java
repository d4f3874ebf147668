package palmares.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL with a streaming replica, of the version that is installed on this machine: the
 * embedded one has no {@code pg_basebackup}. Without it, tests are skipped, and fail in CI.
 */
public final class StreamingReplica implements AutoCloseable {
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

  private final Path programs;
  private final Path folder;

  /** Exchanged by {@link #replace}. */
  private Server primary;

  private Server replica;

  private StreamingReplica(Path programs, Path folder) throws IOException {
    this.programs = programs;
    this.folder = folder;
    this.primary = new Server(folder.resolve("a"), port());
    this.replica = new Server(folder.resolve("b"), port());
  }

  private record Server(Path data, int port) {
    String address() {
      return "127.0.0.1:" + port;
    }
  }

  public static StreamingReplica start() throws IOException {
    Path programs = programs();
    boolean isInstalled = programs != null;
    if (!isInstalled && System.getenv("CI") != null) {
      throw new AssertionError("no server programs below " + VERSIONS);
    }
    assumeTrue(isInstalled, "no server programs below " + VERSIONS);
    Path folder = Files.createTempDirectory("palmares-replica-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    var pair = new StreamingReplica(Objects.requireNonNull(programs), folder);
    try {
      pair.begin();
      return pair;
    } catch (IOException | RuntimeException | AssertionError e) {
      pair.close();
      throw e;
    }
  }

  private static @Nullable Path programs() throws IOException {
    if (!Files.isDirectory(VERSIONS)) {
      return null;
    }
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("pg_basebackup")))
          .max((a, b) -> Integer.compare(version(a), version(b)))
          .orElse(null);
    }
  }

  private static int version(Path bin) {
    return Integer.parseInt(bin.getName(bin.getNameCount() - 2).toString());
  }

  private void begin() throws IOException {
    String data = primary.data().toString();
    run("initdb", "-D", data, "-U", "postgres", "-E", "UTF8", "--auth=trust", "--no-sync");
    start(primary);
    copy();
  }

  private void start(Server server) throws IOException {
    String data = server.data().toString();
    String options =
        "-p %d -k %s -c listen_addresses=127.0.0.1 -c fsync=off".formatted(server.port(), folder);
    run("pg_ctl", "-w", "-D", data, "-l", data + "/log", "-o", options, "start");
  }

  /** Makes the replica of what the primary has. */
  private void copy() throws IOException {
    String source = "host=127.0.0.1 user=postgres port=" + primary.port();
    String data = replica.data().toString();
    run("pg_basebackup", "-R", "-c", "fast", "--no-sync", "-d", source, "-D", data);
    start(replica);
  }

  /** PostgreSQL does not run as root. */
  private void run(String program, String... arguments) throws IOException {
    var command = new ArrayList<String>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("setpriv", "--reuid", "postgres", "--regid", "postgres"));
      command.add("--clear-groups");
    }
    command.add(programs.resolve(program).toString());
    command.addAll(Arrays.asList(arguments));
    Path output = folder.resolve(program + ".output");
    try {
      int status =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      assertThat(status).as("%s: %s", command, Files.readString(output)).isZero();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public String primaryUrl() {
    return url(primary.address());
  }

  public String replicaUrl() {
    return url(replica.address());
  }

  /** Leads to the one of both that is the primary. */
  public String url() {
    return url(primary.address() + "," + replica.address()) + "?targetServerType=primary";
  }

  private static String url(String addresses) {
    return "jdbc:postgresql://%s/postgres".formatted(addresses);
  }

  /** The replica receives what is committed, and does not replay it. */
  public void pauseReplay() {
    on(replica, "select pg_wal_replay_pause()");
  }

  public void resumeReplay() {
    on(replica, "select pg_wal_replay_resume()");
  }

  /** Decides whether a commit waits until the replica has it. A promoted replica waits for none. */
  public void replicate(boolean synchronous) {
    on(
        primary,
        "alter system set synchronous_standby_names = '%s'".formatted(synchronous ? "*" : ""));
    on(primary, "select pg_reload_conf()");
    String state = synchronous ? "sync" : "async";
    await().until(() -> state.equals(on(primary, "select sync_state from pg_stat_replication")));
  }

  /** From now on the replica receives nothing, as if the network between both were slow. */
  public void stall() throws IOException {
    signal("STOP", Objects.requireNonNull(on(primary, "select pid from pg_stat_replication")));
  }

  /** Ends all processes of the primary, as the loss of its machine does. */
  public void killPrimary() throws IOException {
    Path file = primary.data().resolve("postmaster.pid");
    ProcessHandle postmaster =
        ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0))).orElseThrow();
    List<ProcessHandle> sessions = postmaster.descendants().toList();
    signal("KILL", Long.toString(postmaster.pid())); // Before it could start new ones.
    for (ProcessHandle session : sessions) {
      session.destroyForcibly();
    }
    postmaster.onExit().join();
    sessions.forEach(session -> session.onExit().join());
    Files.delete(file);
  }

  private static void signal(String signal, String pid) throws IOException {
    new ProcessBuilder("kill", "-" + signal, pid).inheritIO().start().onExit().join();
  }

  public void promoteReplica() {
    on(replica, "select pg_promote()");
  }

  /** Makes a replica of the promoted one, in place of a primary that was killed. */
  public void replace() throws IOException {
    Server promoted = replica;
    replica = primary;
    primary = promoted;
    FileSystemUtils.deleteRecursively(replica.data());
    copy();
  }

  private static @Nullable String on(Server server, String sql) {
    try (Connection connection =
            DriverManager.getConnection(url(server.address()), "postgres", "");
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return null;
      }
      ResultSet row = statement.getResultSet();
      return row.next() ? row.getString(1) : null;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  public void stopReplica() throws IOException {
    stop(replica);
  }

  private void stop(Server server) throws IOException {
    if (Files.exists(server.data().resolve("postmaster.pid"))) {
      run("pg_ctl", "-w", "-m", "immediate", "-D", server.data().toString(), "stop");
    }
  }

  private static int port() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() throws IOException {
    stop(replica);
    stop(primary);
    FileSystemUtils.deleteRecursively(folder);
  }
}
