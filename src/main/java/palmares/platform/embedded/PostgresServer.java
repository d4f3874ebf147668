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

/** PostgreSQL of one data folder, made, started and stopped by its own tools. */
final class PostgresServer {
  /** Named like the schema, which PostgreSQL's default search path therefore begins with. */
  static final String USER = "palmares";

  static final String DATABASE = "palmares";

  /** Recovery after a crash replays at most {@code max_wal_size}. */
  private static final Duration START_BOUND = Duration.ofMinutes(5);

  private static final Duration STOP_BOUND = Duration.ofSeconds(60);
  private static final Duration INIT_BOUND = Duration.ofMinutes(2);

  /** Nothing is faster at the price of rows: a commit that was answered survives a power cut. */
  private static final List<String> SETTINGS =
      List.of(
          "fsync=on",
          "synchronous_commit=on",
          "full_page_writes=on",
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
    return "jdbc:postgresql://%s:%d/%s".formatted(Port.HOST, port, database);
  }

  /** Ready for connections, with the database there, when it returns; gives the version. */
  String start(int port, String secret) throws IOException {
    if (!Files.exists(folder.postgres())) {
      makeCluster(secret);
    }
    dropForeignPidFile();
    Subprocess started =
        tool(
            START_BOUND.plusSeconds(10),
            "pg_ctl",
            List.of(
                "start",
                "--wait",
                "--timeout=" + START_BOUND.toSeconds(),
                "--log=" + log(),
                "--options=" + options(port)));
    if (!started.succeeded()) {
      throw failed("did not start", started);
    }
    return makeDatabase(port, secret);
  }

  /** Ends every connection, writes everything down, and returns when that is done. */
  void stop() throws IOException {
    if (daemon().isEmpty()) {
      return;
    }
    Subprocess stopped = stop("fast");
    if (!stopped.succeeded() && daemon().isPresent()) {
      stopped = stop("immediate"); // What was committed is in the log; the next start recovers it.
    }
    if (!stopped.succeeded() && daemon().isPresent()) {
      throw failed("did not stop", stopped);
    }
  }

  private Subprocess stop(String mode) throws IOException {
    return tool(
        STOP_BOUND.plusSeconds(10),
        "pg_ctl",
        List.of("stop", "--wait", "--timeout=" + STOP_BOUND.toSeconds(), "--mode=" + mode));
  }

  /** Renamed into place when whole, so that a kill midway leaves no half of a cluster. */
  private void makeCluster(String secret) throws IOException {
    Path fresh = folder.root().resolve("postgres.new");
    Path password = folder.root().resolve("postgres.password");
    FileSystemUtils.deleteRecursively(fresh);
    folder.replace(password, secret);
    Subprocess made =
        Subprocess.run(
            folder.root(),
            INIT_BOUND,
            command(
                "initdb",
                fresh,
                List.of(
                    "--username=" + USER,
                    "--pwfile=" + password,
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale=C",
                    "--locale-provider=builtin",
                    "--builtin-locale=C.UTF-8")));
    Files.deleteIfExists(password);
    if (!made.succeeded()) {
      FileSystemUtils.deleteRecursively(fresh);
      throw failed("could not make its files", made);
    }
    Files.move(fresh, folder.postgres(), ATOMIC_MOVE);
  }

  private String makeDatabase(int port, String secret) throws IOException {
    try (Connection connection =
            DriverManager.getConnection(jdbcUrl(port, "postgres"), USER, secret);
        Statement statement = connection.createStatement()) {
      if (!hasDatabase(statement)) {
        statement.execute("CREATE DATABASE " + DATABASE);
      }
      return connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      throw new ServersUnavailable(
          "PostgreSQL of %s started but is not usable: %s."
              .formatted(folder.root(), e.getMessage()),
          "Its log is %s.".formatted(log()),
          e);
    }
  }

  private static boolean hasDatabase(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery("SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
      return row.next();
    }
  }

  /** After a restart of the machine the id in the file may be anybody's, and blocks the start. */
  private void dropForeignPidFile() throws IOException {
    if (daemon().isEmpty()) {
      Files.deleteIfExists(pidFile());
    }
  }

  boolean isRunning() throws IOException {
    return daemon().isPresent();
  }

  private Optional<ServerProcess> daemon() throws IOException {
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
            RootUser.detour(folder),
            List.of(programs.resolve(name).toString(), "--pgdata=" + cluster),
            arguments)
        .flatMap(List::stream)
        .toList();
  }

  private ServersUnavailable failed(String what, Subprocess tool) throws IOException {
    String said = (tool.output() + "\n" + DataFolder.tail(log())).strip();
    if (said.contains("No space left on device")) {
      return folder.full("PostgreSQL found no space left on it");
    }
    return new ServersUnavailable(
        "PostgreSQL of %s %s:%n%s%n".formatted(folder.root(), what, said),
        "Its log is %s.".formatted(log()));
  }
}
