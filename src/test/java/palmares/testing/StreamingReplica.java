package palmares.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
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
  private final int primary;
  private final int replica;

  private StreamingReplica(Path programs, Path folder, int primary, int replica) {
    this.programs = programs;
    this.folder = folder;
    this.primary = primary;
    this.replica = replica;
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
    var pair = new StreamingReplica(Objects.requireNonNull(programs), folder, port(), port());
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
    String data = folder.resolve("primary").toString();
    run("initdb", "-D", data, "-U", "postgres", "-E", "UTF8", "--auth=trust", "--no-sync");
    run("pg_ctl", "-w", "-D", data, "-l", data + "/log", "-o", options(primary), "start");
    String copy = folder.resolve("replica").toString();
    String source = "host=127.0.0.1 user=postgres port=" + primary;
    run("pg_basebackup", "-R", "-c", "fast", "--no-sync", "-d", source, "-D", copy);
    run("pg_ctl", "-w", "-D", copy, "-l", copy + "/log", "-o", options(replica), "start");
  }

  private String options(int port) {
    return "-p %d -k %s -c listen_addresses=127.0.0.1 -c fsync=off".formatted(port, folder);
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
    return url(primary);
  }

  public String replicaUrl() {
    return url(replica);
  }

  private static String url(int port) {
    return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port);
  }

  /** The replica receives what is committed, and does not replay it. */
  public void pauseReplay() {
    onReplica("select pg_wal_replay_pause()");
  }

  public void resumeReplay() {
    onReplica("select pg_wal_replay_resume()");
  }

  public void promoteReplica() {
    onReplica("select pg_promote()");
  }

  private void onReplica(String sql) {
    try (Connection connection = DriverManager.getConnection(replicaUrl(), "postgres", "");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  public void stopReplica() throws IOException {
    stop("replica");
  }

  private void stop(String server) throws IOException {
    Path data = folder.resolve(server);
    if (Files.exists(data.resolve("postmaster.pid"))) {
      run("pg_ctl", "-w", "-m", "immediate", "-D", data.toString(), "stop");
    }
  }

  private static int port() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() throws IOException {
    stop("replica");
    stop("primary");
    FileSystemUtils.deleteRecursively(folder);
  }
}
