package palmares.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/**
 * Runs PostgreSQL and Redis in a data folder, whose content survives restarts.
 *
 * <p>One process at a time owns a folder and runs its servers. If an owner is killed, the next
 * owner stops its servers cleanly. The caller closes this object after all connections to the
 * servers.
 */
public final class EmbeddedServers implements AutoCloseable {
  /** The purpose of a process that runs until somebody stops it. */
  public static final String SERVER = "server";

  private static final Duration SERVER_FILE_TIMEOUT = Duration.ofSeconds(3);

  private final DataFolder folder;
  private final ServerFile serverFile;
  private final String secret;
  private final ServerOwner owner;
  private final AtomicBoolean closed = new AtomicBoolean();

  EmbeddedServers(DataFolder folder, ServerFile serverFile, String secret, ServerOwner owner) {
    this.folder = folder;
    this.serverFile = serverFile;
    this.secret = secret;
    this.owner = owner;
  }

  /**
   * Starts the servers.
   *
   * @param purpose names this process in messages of others, such as {@code server}
   * @throws ServersUnavailable if another process owns the folder, or it cannot be used
   */
  public static EmbeddedServers own(Path data, String purpose) {
    return own(data, purpose, Duration.ZERO);
  }

  /**
   * Starts the servers once no other process owns the folder. Does not wait for the end of a
   * server, which nobody knows.
   *
   * @param patience how long to wait for the end of another command
   */
  public static EmbeddedServers own(Path data, String purpose, Duration patience) {
    DataFolder folder = DataFolder.at(data);
    try {
      Optional<EmbeddedServers> servers = startUnlessServed(folder, purpose);
      if (servers.isEmpty() && !patience.isZero()) {
        System.err.println(Texts.here().of(new ServerSentences.Waiting(folder.root().toString())));
        servers = Polling.first(patience, () -> startUnlessServed(folder, purpose));
      }
      return servers.isPresent() ? servers.get() : refuse(folder);
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

  /** The password of both servers, stored in the folder's file {@code secret}. */
  public String password() {
    return secret;
  }

  public String redisHost() {
    return Port.HOST;
  }

  public int redisPort() {
    return serverFile.redisPort();
  }

  /**
   * Restarts the servers of this process that have died, on their former ports.
   *
   * @return their names; empty if all run
   * @throws ServersUnavailable if one cannot be started
   */
  public List<String> restartDead() {
    try {
      return owner.restartDead();
    } catch (IOException e) {
      throw folder.unusable(e);
    }
  }

  /**
   * Stores the time of a sandbox in its folder, for the commands that use its data later: by the
   * machine's clock, its periods may have ended that go on in the sandbox.
   *
   * @param clock the clock of the sandbox, which runs as fast as the machine's
   */
  public static void shareClock(Path data, Clock clock) {
    DataFolder folder = DataFolder.at(data);
    try {
      Duration ahead = Duration.between(Instant.now(), clock.instant());
      folder.replace(folder.sandboxClock(), ahead.toString());
    } catch (IOException e) {
      throw folder.unusable(e);
    }
  }

  /** Whether a folder has the data of a sandbox. */
  public static boolean isSandbox(Path data) {
    return Files.exists(new DataFolder(data).sandboxClock());
  }

  /** How far the clock of this folder's sandbox is ahead of the machine's; empty for real data. */
  public Optional<Duration> sandboxClockAhead() {
    try {
      return Optional.of(Duration.parse(Files.readString(folder.sandboxClock()).strip()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw folder.unusable(e);
    }
  }

  /** The connection data of the servers that run in a folder; empty if none run there. */
  public static Optional<Access> find(Path data) {
    Path path = data.toAbsolutePath().normalize();
    if (!Files.isDirectory(path)) {
      return Optional.empty();
    }
    var folder = new DataFolder(path);
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
   * The connection data of the servers in a folder.
   *
   * @param description one line with versions, addresses and the folder
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
      Path logs) {
    public String jdbcUrl() {
      return PostgresServer.jdbcUrl(postgresPort, database);
    }
  }

  /** One line with the servers' versions and addresses, and the folder. */
  public String describe() {
    return serverFile.describe(folder);
  }

  /** Stops the servers; idempotent. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      owner.stopServers();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop the servers of " + folder.root(), e);
    }
  }

  private static Optional<EmbeddedServers> startUnlessServed(DataFolder folder, String purpose)
      throws IOException {
    Optional<EmbeddedServers> started = ServerOwner.start(folder, purpose);
    boolean isServed =
        started.isEmpty()
            && ServerFile.read(folder).filter(file -> file.purpose().equals(SERVER)).isPresent();
    return isServed ? Optional.of(refuse(folder)) : started;
  }

  private static EmbeddedServers refuse(DataFolder folder) throws IOException {
    Sentence owner =
        Polling.first(SERVER_FILE_TIMEOUT, () -> ServerFile.read(folder))
            .<Sentence>map(
                serverFile ->
                    new ServerSentences.OwningProcess(
                        serverFile.process().pid(), serverFile.purpose()))
            .orElseGet(ServerSentences.OwnerStarts::new);
    throw new ServersUnavailable(
        new ServerSentences.FolderServed(folder.root().toString(), owner),
        new ServerSentences.UseOwner(DataFolder.OPTION));
  }
}
