package palmares.live.history;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file or stream with a history, plain or compressed with gzip. */
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
    // Streams of Files.newInputStream fail on available() of a named pipe.
    return new HistorySource(
        file.toString(), () -> new FileInputStream(file.toFile()), Optional.of(file));
  }

  /**
   * @param name used in messages
   */
  public static HistorySource of(String name, InputStream stream) {
    return new HistorySource(name, () -> stream, Optional.empty());
  }

  public String name() {
    return name;
  }

  /** Says why the source cannot be read, without reading it; empty if nothing is wrong. */
  public Optional<String> fault() {
    return file.flatMap(
        path -> {
          if (!Files.exists(path)) {
            return Optional.of("the file does not exist");
          }
          if (Files.isDirectory(path)) {
            return Optional.of("it is a folder: name the files in it");
          }
          return Files.isReadable(path)
              ? Optional.empty()
              : Optional.of("no read permission for user " + System.getProperty("user.name"));
        });
  }

  /** Returns its size on disk in bytes; empty if unknown. */
  public Optional<Long> size() {
    return file.filter(Files::isRegularFile)
        .map(
            path -> {
              try {
                return Files.size(path);
              } catch (IOException e) {
                return null; // The file was deleted; opening it will report that.
              }
            });
  }

  RawInput open() throws IOException {
    return new RawInput(opener.open());
  }
}
