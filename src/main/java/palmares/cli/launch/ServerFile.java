package palmares.cli.launch;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.UserError;
import palmares.platform.embedded.ProcessId;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * The file {@code server.json} of a data folder, by which commands find the server that runs there.
 * It has a secret, so only the user who started the server may read it.
 *
 * @param database the address of its PostgreSQL, without parameters
 */
record ServerFile(Path file, ProcessId process, URI url, String token, String database) {
  private static final String NAME = "server.json";

  ServerFile {
    database = withoutParameters(database);
  }

  private static String withoutParameters(String database) {
    return database.split("\\?", 2)[0];
  }

  /** Whether it is a server on this database. */
  boolean isOn(String other) {
    return database.equals(withoutParameters(other));
  }

  /** The file of this process. */
  static ServerFile of(Path data, URI url, String token, String database) {
    return new ServerFile(data.resolve(NAME), ProcessId.current(), url, token, database);
  }

  /**
   * Reads the file of the server that runs in a folder; empty if none runs there.
   *
   * @throws UserError if it cannot be read
   */
  static Optional<ServerFile> find(Path data) {
    Path file = data.resolve(NAME);
    try {
      Map<String, Object> json = JSON.std.mapFrom(Files.readString(file));
      var process =
          new ProcessId(
              Long.parseLong(String.valueOf(json.get("pid"))),
              Instant.parse(String.valueOf(json.get("since"))));
      return Optional.of(
              new ServerFile(
                  file,
                  process,
                  URI.create(String.valueOf(json.get("url"))),
                  String.valueOf(json.get("token")),
                  String.valueOf(json.get("database"))))
          .filter(found -> found.process().isAlive());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw UserError.badInput(
          new CommandSentences.UnreadableServerFile(data.toString(), file.toString(), "--url"));
    } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
      throw UserError.badInput(new CommandSentences.ForeignServerFile(file.toString()), e);
    }
  }

  /** Writes the file at once, readable for its owner only. */
  void write() throws IOException {
    var json = new LinkedHashMap<String, Object>();
    json.put("pid", process.pid());
    json.put("since", process.since().toString());
    json.put("url", url.toString());
    json.put("token", token);
    json.put("database", database);
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    Path whole = Files.createTempFile(folder, NAME, ".new"); // rw for its owner only
    Files.writeString(whole, JSON.std.asString(json) + "\n");
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Deletes the file, unless another server has written it since. */
  void delete() throws IOException {
    if (find(file.resolveSibling("")).map(this::equals).orElse(false)) {
      Files.delete(file);
    }
  }

  /** A secret is not printed. */
  @Override
  public String toString() {
    return file.toString();
  }
}
