package palmares.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * PostgreSQL and Redis of a data folder, kept across restarts.
 *
 * <p>Exactly one process owns a folder and runs its servers; processes that join it while it is
 * owned are guests. Servers whose owner was killed are stopped cleanly by the next owner. Whoever
 * opens closes, after everything that uses the connections.
 */
public final class EmbeddedServers implements AutoCloseable {
  /** An owner that starts for the first time unpacks, makes its files, and is then ready. */
  private static final Duration STARTING_BOUND = Duration.ofSeconds(90);

  private static final Duration INTRODUCTION_BOUND = Duration.ofSeconds(3);

  private final DataFolder folder;
  private final ServerFile serverFile;
  private final String secret;
  private final ServerAccess serverAccess;
  private final AtomicBoolean closed = new AtomicBoolean();

  EmbeddedServers(
      DataFolder folder, ServerFile serverFile, String secret, ServerAccess serverAccess) {
    this.folder = folder;
    this.serverFile = serverFile;
    this.secret = secret;
    this.serverAccess = serverAccess;
  }

  /**
   * For a process that serves: starts the servers, and stops them at {@link #close} whoever uses
   * them.
   *
   * @param purpose what others are told that this process is, such as {@code server}
   * @throws ServersUnavailable if another process owns the folder, or it cannot be used
   */
  public static EmbeddedServers own(Path data, String purpose) {
    DataFolder folder = DataFolder.at(data);
    try {
      Optional<EmbeddedServers> servers =
          ServerOwner.start(folder, purpose, SharedShutdown.AT_ONCE);
      return servers.isPresent() ? servers.get() : refuse(folder);
    } catch (IOException e) {
      throw folder.unusable(e);
    }
  }

  /**
   * For a command: uses the servers that run, or else starts them, in which case {@link #close}
   * stays until the last guest is gone.
   *
   * @param purpose what others are told that this process is, such as {@code import}
   * @throws ServersUnavailable if the owner does not become ready, or the folder cannot be used
   */
  public static EmbeddedServers join(Path data, String purpose) {
    DataFolder folder = DataFolder.at(data);
    try {
      return Polling.first(STARTING_BOUND, () -> startOrEnter(folder, purpose))
          .orElseThrow(() -> neverReady(folder));
    } catch (IOException e) {
      throw folder.unusable(e);
    }
  }

  public String jdbcUrl() {
    return PostgresServer.jdbcUrl(serverFile.postgresPort(), PostgresServer.DATABASE);
  }

  public String user() {
    return PostgresServer.USER;
  }

  /** Of both servers; it lies in the file {@code secret} of the folder. */
  public String password() {
    return secret;
  }

  public String redisHost() {
    return Port.HOST;
  }

  public int redisPort() {
    return serverFile.redisPort();
  }

  /** Whether this process runs the servers, rather than being the guest of one that does. */
  public boolean owns() {
    return serverAccess.owns();
  }

  /**
   * Starts again, on their old ports, those servers of this process that have died.
   *
   * @return their names; empty if all live, or another process owns them
   * @throws ServersUnavailable if one cannot be started
   */
  public List<String> revive() {
    try {
      return serverAccess.revive();
    } catch (IOException e) {
      throw folder.unusable(e);
    }
  }

  /** How to reach the servers that run in a folder, for its owner; empty if none run there. */
  public static Optional<Access> find(Path data) {
    Path asked = data.toAbsolutePath().normalize();
    if (!Files.isDirectory(asked)) {
      return Optional.empty();
    }
    var folder = new DataFolder(asked);
    try {
      Optional<ServerFile> serverFile = ServerFile.read(folder);
      return serverFile.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Access(
                  serverFile.get().describe(folder),
                  Port.HOST,
                  serverFile.get().postgresPort(),
                  PostgresServer.DATABASE,
                  PostgresServer.USER,
                  serverFile.get().redisPort(),
                  folder.secret(),
                  folder.logs()));
    } catch (IOException e) {
      throw folder.unusable(e);
    }
  }

  /**
   * What a client needs to connect.
   *
   * @param description one line that says where the servers run
   * @param password of both servers
   */
  public record Access(
      String description,
      String host,
      int postgresPort,
      String database,
      String user,
      int redisPort,
      String password,
      Path logs) {}

  /** One line that says where the servers run. */
  public String describe() {
    return serverFile.describe(folder);
  }

  /** Stops what this process started; does nothing the second time. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      serverAccess.end();
    } catch (IOException e) {
      throw new UncheckedIOException("stopping the servers of " + folder.root(), e);
    }
  }

  private static Optional<EmbeddedServers> startOrEnter(DataFolder folder, String purpose)
      throws IOException {
    Optional<EmbeddedServers> started =
        ServerOwner.start(folder, purpose, SharedShutdown.AFTER_THE_LAST_GUEST);
    return started.isPresent() ? started : SharedUse.enter(folder);
  }

  private static EmbeddedServers refuse(DataFolder folder) throws IOException {
    String owner =
        Polling.first(INTRODUCTION_BOUND, () -> ServerFile.read(folder))
            .map(serverFile -> "process %d (%s)".formatted(serverFile.pid(), serverFile.purpose()))
            .orElse("another process that is just starting");
    throw new ServersUnavailable(
        "The data folder %s is already served by %s.".formatted(folder.root(), owner),
        "Use that one, stop it first, or name another folder with --data.");
  }

  private static ServersUnavailable neverReady(DataFolder folder) {
    return new ServersUnavailable(
        "Another process owns the data folder %s, but its servers were not ready within %d s."
            .formatted(folder.root(), STARTING_BOUND.toSeconds()),
        "See its logs in %s, or stop it and try again.".formatted(folder.logs()));
  }
}
