package palmares.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import palmares.rules.boardfiles.BoardFile;

/** The benchmark's resource files, in the folder {@code bench}. */
public final class Resource {
  private Resource() {}

  /** Reads a file that must exist. */
  public static String text(String file) {
    try (InputStream in = Resource.class.getResourceAsStream("/bench/" + file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  /** Reads a board file. */
  public static BoardFile board(String file) {
    return new BoardFile(file, text(file));
  }
}
