package palmares.platform.embedded;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/** The file {@code servers.properties}, in which a folder's owner publishes its servers. */
record ServerFile(
    ProcessId process,
    String purpose,
    int postgresPort,
    String postgresVersion,
    int redisPort,
    String redisVersion) {
  /** Empty if there is no file, or the process that wrote it has ended. */
  static Optional<ServerFile> read(DataFolder folder) throws IOException {
    Properties entries = new Properties();
    try {
      entries.load(new StringReader(Files.readString(folder.serverFile())));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return Optional.of(of(entries)).filter(file -> file.process().isAlive());
  }

  void write(DataFolder folder) throws IOException {
    Properties entries = new Properties();
    entries.setProperty("pid", Long.toString(process.pid()));
    entries.setProperty("since", process.since().toString());
    entries.setProperty("purpose", purpose);
    entries.setProperty("postgres.port", Integer.toString(postgresPort));
    entries.setProperty("postgres.version", postgresVersion);
    entries.setProperty("redis.port", Integer.toString(redisPort));
    entries.setProperty("redis.version", redisVersion);
    StringWriter text = new StringWriter();
    entries.store(text, null);
    folder.replace(folder.serverFile(), text.toString());
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
        new ProcessId(
            Long.parseLong(entries.getProperty("pid")),
            Instant.parse(entries.getProperty("since"))),
        entries.getProperty("purpose"),
        Integer.parseInt(entries.getProperty("postgres.port")),
        entries.getProperty("postgres.version"),
        Integer.parseInt(entries.getProperty("redis.port")),
        entries.getProperty("redis.version"));
  }
}
