package palmares.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Redis of one data folder, with every write in an append-only file that is synced each second. */
final class RedisServer {
  private static final Duration FORK_BOUND = Duration.ofSeconds(10);

  /** Reading a large append-only file takes its time. */
  private static final Duration LOAD_BOUND = Duration.ofMinutes(5);

  private static final Duration STOP_BOUND = Duration.ofSeconds(60);

  private final DataFolder folder;
  private final Path program;

  private RedisServer(DataFolder folder, Path program) {
    this.folder = folder;
    this.program = program;
  }

  static RedisServer of(DataFolder folder) throws IOException {
    return new RedisServer(folder, Binaries.redis(folder));
  }

  /** Has read its files and answers when it returns; gives the version. */
  String start(int port, String secret) throws IOException {
    OwnerOnly.createFolders(folder.redis());
    folder.replace(configuration(), settings(port, secret));
    Files.deleteIfExists(pidFile());
    Subprocess forked =
        Subprocess.run(
            folder.root(), FORK_BOUND, List.of(program.toString(), configuration().toString()));
    if (!forked.succeeded() || !Polling.await(FORK_BOUND, () -> daemon().isPresent())) {
      throw failed("did not start", forked.output());
    }
    RedisProbe probe = new RedisProbe(port, secret);
    boolean decided = Polling.await(LOAD_BOUND, () -> probe.answers() || daemon().isEmpty());
    if (!decided || daemon().isEmpty()) {
      throw failed("did not become ready", "");
    }
    return probe.version();
  }

  /** Syncs the append-only file and ends; returns when that is done. */
  void stop() throws IOException {
    Optional<ServerProcess> serverProcess = daemon();
    serverProcess.ifPresent(ServerProcess::terminate);
    if (!Polling.await(STOP_BOUND, () -> daemon().isEmpty())) {
      throw failed("did not stop", "");
    }
  }

  private String settings(int port, String secret) {
    return """
    # Written again at each start.
    bind %s
    port %d
    requirepass %s
    dir "%s"
    appendonly yes
    appendfsync everysec
    save ""
    maxmemory-policy noeviction
    daemonize yes
    pidfile "%s"
    logfile "%s"
    # The command line keeps this file's path, by which a later start knows its orphan.
    set-proc-title no
    """
        .formatted(Port.HOST, port, secret, folder.redis(), pidFile(), log());
  }

  boolean isRunning() throws IOException {
    return daemon().isPresent();
  }

  private Optional<ServerProcess> daemon() throws IOException {
    return ServerProcess.of(pidFile(), configuration());
  }

  private Path configuration() {
    return folder.root().resolve("redis.conf");
  }

  private Path pidFile() {
    return folder.root().resolve("redis.pid");
  }

  private Path log() {
    return folder.logs().resolve("redis.log");
  }

  private ServersUnavailable failed(String what, String output) throws IOException {
    String said = (output + "\n" + DataFolder.tail(log())).strip();
    if (said.contains("No space left on device")) {
      return folder.full("Redis found no space left on it");
    }
    return new ServersUnavailable(
        "Redis of %s %s:%n%s%n".formatted(folder.root(), what, said),
        "Its log is %s.".formatted(log()));
  }
}
