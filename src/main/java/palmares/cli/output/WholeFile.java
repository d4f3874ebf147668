package palmares.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import palmares.cli.terminal.Complaint;

/** Writes files that are there whole or not at all. */
public final class WholeFile {
  private WholeFile() {}

  @FunctionalInterface
  public interface Content {
    void writeTo(Writer writer) throws IOException;
  }

  /**
   * @throws Complaint if the file cannot be written
   */
  public static void write(Path file, Content content) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw Complaint.badInput("--out %s is no file that can be written".formatted(file));
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (Writer writer = Files.newBufferedWriter(part)) {
        content.writeTo(writer);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      part.toFile().delete();
      throw Complaint.failed("%s cannot be written: %s".formatted(file, e), e);
    }
  }
}
