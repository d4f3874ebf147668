package palmares.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import palmares.cli.terminal.UserError;

/** Writes files that appear complete or not at all. */
public final class AtomicFile {
  private AtomicFile() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(Writer writer) throws IOException;
  }

  /**
   * Writes to a temporary file next to the target, then renames it.
   *
   * @throws UserError if the file cannot be written
   */
  public static void write(Path file, Content content) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw UserError.badInput("--out %s is not a regular file".formatted(file));
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (Writer writer = Files.newBufferedWriter(part)) {
        content.writeTo(writer);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      part.toFile().delete();
      throw UserError.failed("%s cannot be written: %s".formatted(file, e), e);
    }
  }
}
