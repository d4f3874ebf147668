package palmares.live.history;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Something to read a history from, plain or compressed by gzip: its first bytes tell which. */
public final class HistorySource {
  private final String name;
  private final Opener opener;
  private final Optional<Path> file;

  private HistorySource(String name, Opener opener, Optional<Path> file) {
    this.name = name;
    this.opener = opener;
    this.file = file;
  }

  @FunctionalInterface
  private interface Opener {
    InputStream open() throws IOException;
  }

  public static HistorySource of(Path file) {
    // What Files opens cannot tell how much a named pipe holds, and fails when it is asked.
    return new HistorySource(
        file.toString(), () -> new FileInputStream(file.toFile()), Optional.of(file));
  }

  /**
   * @param name how messages name it
   */
  public static HistorySource of(String name, InputStream stream) {
    return new HistorySource(name, () -> stream, Optional.empty());
  }

  public String name() {
    return name;
  }

  /** Why it cannot be read, as far as can be told without reading it; empty if it can. */
  public Optional<String> fault() {
    return file.flatMap(
        path -> {
          if (!Files.exists(path)) {
            return Optional.of("there is no such file");
          }
          if (Files.isDirectory(path)) {
            return Optional.of("it is a folder: name the files in it");
          }
          return Files.isReadable(path)
              ? Optional.empty()
              : Optional.of("it may not be read by user " + System.getProperty("user.name"));
        });
  }

  /** Its bytes as they lie on the disk; empty if nobody can tell. */
  public Optional<Long> size() {
    return file.filter(Files::isRegularFile)
        .map(
            path -> {
              try {
                return Files.size(path);
              } catch (IOException e) {
                return null; // It is gone meanwhile: opening it will say so.
              }
            });
  }

  RawInput open() throws IOException {
    return new RawInput(opener.open());
  }
}
