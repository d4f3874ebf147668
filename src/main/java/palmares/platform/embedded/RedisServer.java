package palmares.platform.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Runs the Redis of a data folder; every write is in an append-only file, synced each second. */
final class RedisServer {
  private static final Duration FORK_TIMEOUT = Duration.ofSeconds(10);

  /** Long enough to read a large append-only file. */
  private static final Duration LOAD_TIMEOUT = Duration.ofMinutes(5);

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

  private final DataFolder folder;
  private final Path program;

  private RedisServer(DataFolder folder, Path program) {
    this.folder = folder;
    this.program = program;
  }

  static RedisServer of(DataFolder folder) throws IOException {
    return new RedisServer(folder, Binaries.redis(folder));
  }

  /** Starts the server, waits until it has loaded its files, and returns its version. */
  String start(int port, String secret) throws IOException {
    OwnerOnly.createFolders(folder.redis());
    folder.replace(configuration(), settings(port, secret));
    Files.deleteIfExists(pidFile());
    Subprocess forked =
        Subprocess.run(
            folder.root(), FORK_TIMEOUT, List.of(program.toString(), configuration().toString()));
    if (!forked.succeeded() || !Polling.await(FORK_TIMEOUT, () -> process().isPresent())) {
      throw failed("not-started", forked.output());
    }
    Probe probe = new Probe(port, secret);
    boolean isDecided = Polling.await(LOAD_TIMEOUT, () -> probe.answers() || process().isEmpty());
    if (!isDecided || process().isEmpty()) {
      throw failed("not-ready", "");
    }
    return probe.version();
  }

  /** Stops the server and waits until it has synced the append-only file and ended. */
  void stop() throws IOException {
    process().ifPresent(ServerProcess::terminate);
    if (!Polling.await(STOP_TIMEOUT, () -> process().isEmpty())) {
      throw failed("not-stopped", "");
    }
  }

  private String settings(int port, String secret) {
    return """
    # Overwritten at each start.
    bind %s
    port %s
    requirepass %s
    dir "%s"
    appendonly yes
    appendfsync everysec
    save ""
    maxmemory-policy noeviction
    daemonize yes
    pidfile "%s"
    logfile "%s"
    # Keeps this file's path in the command line, by which a later start finds an orphan.
    set-proc-title no
    """
        .formatted(Port.HOST, port, secret, folder.redis(), pidFile(), log());
  }

  boolean isRunning() throws IOException {
    return process().isPresent();
  }

  private Optional<ServerProcess> process() throws IOException {
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

  private ServersUnavailable failed(String fault, String output) throws IOException {
    String details = (output + "\n" + DataFolder.tail(log())).strip();
    if (details.contains("No space left on device")) {
      return folder.full(new ServerSentences.FoundNoSpace("Redis"));
    }
    return new ServersUnavailable(
        new ServerSentences.Broken("Redis", folder.root().toString(), fault, details),
        new ServerSentences.LogIs(log().toString()));
  }

  /** Sends single commands to a Redis of this machine, before a real client may connect. */
  private record Probe(int port, String secret) {
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final String VERSION_PREFIX = "redis_version:";

    /** False if the server does not listen yet or is still loading its files. */
    boolean answers() {
      try {
        return ask("PING", line -> line.startsWith("+") || line.startsWith("-"))
            .startsWith("+PONG");
      } catch (IOException e) {
        return false;
      }
    }

    String version() throws IOException {
      return ask("INFO server", line -> line.startsWith(VERSION_PREFIX))
          .substring(VERSION_PREFIX.length());
    }

    private String ask(String command, Predicate<String> isAnswer) throws IOException {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(Port.HOST, port), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.getOutputStream().write(("AUTH " + secret + "\r\n").getBytes(US_ASCII));
        socket.getOutputStream().write((command + "\r\n").getBytes(US_ASCII));
        BufferedReader answers =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
        answers.readLine(); // to AUTH
        return answers
            .lines()
            .filter(isAnswer)
            .findFirst()
            .orElseThrow(() -> new IOException("no answer to " + command));
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }
}
