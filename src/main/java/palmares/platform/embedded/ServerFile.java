package palmares.platform.embedded;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/** The file {@code servers.properties}, in which a folder's owner publishes its servers. */
record ServerFile(
    long pid,
    Instant since,
    String purpose,
    int postgresPort,
    String postgresVersion,
    int redisPort,
    String redisVersion) {
  /**
   * The system derives a process's start from its boot time, which changes slightly with the clock.
   */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(10);

  /** Empty if there is no file, or the process that wrote it has ended. */
  static Optional<ServerFile> read(DataFolder folder) throws IOException {
    Properties entries = new Properties();
    try {
      entries.load(new StringReader(Files.readString(folder.serverFile())));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return Optional.of(of(entries)).filter(ServerFile::writerIsAlive);
  }

  void write(DataFolder folder) throws IOException {
    Properties entries = new Properties();
    entries.setProperty("pid", Long.toString(pid));
    entries.setProperty("since", since.toString());
    entries.setProperty("purpose", purpose);
    entries.setProperty("postgres.port", Integer.toString(postgresPort));
    entries.setProperty("postgres.version", postgresVersion);
    entries.setProperty("redis.port", Integer.toString(redisPort));
    entries.setProperty("redis.version", redisVersion);
    StringWriter text = new StringWriter();
    entries.store(text, null);
    folder.replace(folder.serverFile(), text.toString());
  }

  /** When a process started, as precisely as the system knows. */
  static Instant startOf(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }

  String describe(DataFolder folder) {
    return "PostgreSQL %s on %s:%s, Redis %s on %s:%s, data in %s"
        .formatted(
            postgresVersion,
            Port.HOST,
            postgresPort,
            redisVersion,
            Port.HOST,
            redisPort,
            folder.root());
  }

  private static ServerFile of(Properties entries) {
    return new ServerFile(
        Long.parseLong(entries.getProperty("pid")),
        Instant.parse(entries.getProperty("since")),
        entries.getProperty("purpose"),
        Integer.parseInt(entries.getProperty("postgres.port")),
        entries.getProperty("postgres.version"),
        Integer.parseInt(entries.getProperty("redis.port")),
        entries.getProperty("redis.version"));
  }

  private boolean writerIsAlive() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(
            process ->
                Duration.between(since, startOf(process)).abs().compareTo(START_TOLERANCE) < 0)
        .isPresent();
  }
}
