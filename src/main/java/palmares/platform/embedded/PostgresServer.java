package palmares.platform.embedded;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/** Runs the PostgreSQL of a data folder by its own tools, {@code initdb} and {@code pg_ctl}. */
final class PostgresServer {
  /** The same as the schema's name, so that the default search path begins with the schema. */
  static final String USER = "palmares";

  static final String DATABASE = "palmares";

  /** Long enough to replay {@code max_wal_size} after a crash. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration TOOL_TIMEOUT_MARGIN = Duration.ofSeconds(10);
  private static final Duration INIT_TIMEOUT = Duration.ofMinutes(2);

  /** By PostgreSQL's defaults, an acknowledged commit survives a power cut. */
  private static final List<String> SETTINGS =
      List.of(
          "listen_addresses=" + Port.HOST,
          "unix_socket_directories=",
          "max_connections=100",
          "shared_buffers=256MB",
          "work_mem=32MB",
          "maintenance_work_mem=256MB",
          "max_wal_size=2GB",
          "autovacuum_naptime=5s",
          "log_checkpoints=off",
          "TimeZone=UTC",
          "log_timezone=UTC");

  /** Repetitions protect a password that can be guessed; each connection would pay for them. */
  private static final int SCRAM_ITERATIONS = 1;

  private static final List<String> UNSHARE = List.of("unshare", "--user");

  private final DataFolder folder;
  private final Path programs;

  private PostgresServer(DataFolder folder, Path programs) {
    this.folder = folder;
    this.programs = programs;
  }

  static PostgresServer of(DataFolder folder) throws IOException {
    return new PostgresServer(folder, Binaries.postgres(folder).resolve("bin"));
  }

  static String jdbcUrl(int port, String database) {
    return "jdbc:postgresql://%s:%s/%s".formatted(Port.HOST, port, database);
  }

  /** Starts the server, waits until its database accepts connections, and returns its version. */
  String start(int port, String secret) throws IOException {
    if (!Files.exists(folder.postgres())) {
      createCluster(secret);
    }
    deleteStalePidFile();
    Subprocess started =
        tool(
            START_TIMEOUT.plus(TOOL_TIMEOUT_MARGIN),
            "pg_ctl",
            List.of(
                "start",
                "--wait",
                "--timeout=" + START_TIMEOUT.toSeconds(),
                "--log=" + log(),
                "--options=" + options(port)));
    if (!started.succeeded()) {
      throw failed("not-started", started);
    }
    return createDatabase(port, secret);
  }

  /** Closes all connections, stops the server, and waits until it has ended. */
  void stop() throws IOException {
    Optional<ServerProcess> server = process();
    if (server.isEmpty()) {
      return;
    }
    Subprocess stopped = stop("fast");
    if (!stopped.succeeded() && process().isPresent()) {
      stopped = stop("immediate"); // The next start recovers all commits from the write-ahead log.
    }
    if (!stopped.succeeded() && process().isPresent()) {
      throw failed("not-stopped", stopped);
    }
    // pg_ctl waits until the process has deleted its file, which is just before it ends.
    Polling.await(STOP_TIMEOUT, () -> !server.get().isAlive());
  }

  private Subprocess stop(String mode) throws IOException {
    return tool(
        STOP_TIMEOUT.plus(TOOL_TIMEOUT_MARGIN),
        "pg_ctl",
        List.of("stop", "--wait", "--timeout=" + STOP_TIMEOUT.toSeconds(), "--mode=" + mode));
  }

  /** Renames the complete cluster into place, so that a kill leaves no partial one. */
  private void createCluster(String secret) throws IOException {
    Path fresh = folder.root().resolve("postgres.new");
    Path password = folder.root().resolve("postgres.password");
    FileSystemUtils.deleteRecursively(fresh);
    folder.replace(password, secret);
    Subprocess made =
        Subprocess.run(
            folder.root(),
            INIT_TIMEOUT,
            command(
                "initdb",
                fresh,
                List.of(
                    "--username=" + USER,
                    "--pwfile=" + password,
                    "--auth=scram-sha-256",
                    "--set=scram_iterations=" + SCRAM_ITERATIONS,
                    "--encoding=UTF8",
                    "--locale=C",
                    "--locale-provider=builtin",
                    "--builtin-locale=C.UTF-8")));
    Files.deleteIfExists(password);
    if (!made.succeeded()) {
      FileSystemUtils.deleteRecursively(fresh);
      throw failed("no-files", made);
    }
    Files.move(fresh, folder.postgres(), ATOMIC_MOVE);
  }

  private String createDatabase(int port, String secret) throws IOException {
    try (Connection connection =
            DriverManager.getConnection(jdbcUrl(port, "postgres"), USER, secret);
        Statement statement = connection.createStatement()) {
      if (!hasDatabase(statement)) {
        statement.execute("CREATE DATABASE " + DATABASE);
      }
      return connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      throw new ServersUnavailable(
          new ServerSentences.NotUsable(folder.root().toString(), String.valueOf(e.getMessage())),
          new ServerSentences.LogIs(log().toString()),
          e);
    }
  }

  private static boolean hasDatabase(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery("SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
      return row.next();
    }
  }

  /** After a reboot, the id in the file may belong to another process and prevent the start. */
  private void deleteStalePidFile() throws IOException {
    if (process().isEmpty()) {
      Files.deleteIfExists(pidFile());
    }
  }

  boolean isRunning() throws IOException {
    return process().isPresent();
  }

  private Optional<ServerProcess> process() throws IOException {
    return ServerProcess.of(pidFile(), folder.postgres());
  }

  private Path pidFile() {
    return folder.postgres().resolve("postmaster.pid");
  }

  private Path log() {
    return folder.logs().resolve("postgres.log");
  }

  private static String options(int port) {
    List<String> options = new ArrayList<>(List.of("-p " + port));
    SETTINGS.forEach(setting -> options.add("-c " + setting));
    return String.join(" ", options);
  }

  private Subprocess tool(Duration bound, String name, List<String> arguments) throws IOException {
    return Subprocess.run(folder.root(), bound, command(name, folder.postgres(), arguments));
  }

  private List<String> command(String name, Path cluster, List<String> arguments)
      throws IOException {
    return Stream.of(
            rootPrefix(),
            List.of(programs.resolve(name).toString(), "--pgdata=" + cluster),
            arguments)
        .flatMap(List::stream)
        .toList();
  }

  private ServersUnavailable failed(String fault, Subprocess tool) throws IOException {
    String details = (tool.output() + "\n" + DataFolder.tail(log())).strip();
    if (details.contains("No space left on device")) {
      return folder.full(new ServerSentences.FoundNoSpace("PostgreSQL"));
    }
    return new ServersUnavailable(
        new ServerSentences.Broken("PostgreSQL", folder.root().toString(), fault, details),
        new ServerSentences.LogIs(log().toString()));
  }

  /**
   * The words in front of a PostgreSQL command: as root on Linux, those that run it in a user
   * namespace, where root is an ordinary user. PostgreSQL refuses to run as root.
   */
  private List<String> rootPrefix() throws IOException {
    boolean linux = System.getProperty("os.name").equals("Linux");
    boolean root =
        Integer.valueOf(0).equals(Files.getAttribute(folder.ownershipLock(), "unix:uid"));
    if (!linux || !root) {
      return List.of();
    }
    requireNamespaces();
    return UNSHARE;
  }

  private void requireNamespaces() {
    try {
      Subprocess probe =
          Subprocess.run(
              folder.root(), Duration.ofSeconds(10), List.of("unshare", "--user", "true"));
      if (!probe.succeeded()) {
        throw forbidden(probe.output().strip());
      }
    } catch (IOException e) {
      throw forbidden(String.valueOf(e.getMessage()));
    }
  }

  private static ServersUnavailable forbidden(String reason) {
    return new ServersUnavailable(
        new ServerSentences.NoNamespaces(reason), new ServerSentences.RunAsUser());
  }
}
