package palmares.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files that appear complete or not at all. */
public final class AtomicFile {
  private AtomicFile() {}

  /** Writes the text of a file. */
  @FunctionalInterface
  public interface Text {
    void writeTo(Writer writer) throws IOException;
  }

  /** Writes the bytes of a file. */
  @FunctionalInterface
  public interface Bytes {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a text in UTF-8, as {@link #writeBytes}.
   *
   * @throws UserError if the file cannot be written
   */
  public static void write(Path file, Text text) {
    writeBytes(
        file,
        out -> {
          Writer writer = new BufferedWriter(new OutputStreamWriter(out, UTF_8));
          text.writeTo(writer);
          writer.flush();
        });
  }

  /**
   * Writes to a temporary file next to the target, then renames it.
   *
   * @throws UserError if the file cannot be written
   */
  public static void writeBytes(Path file, Bytes content) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw UserError.badInput(new CommandSentences.NotRegular(file.toString()));
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
        content.writeTo(out);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      part.toFile().delete();
      throw UserError.failed(new CommandSentences.Unwritable(file.toString(), e.toString()), e);
    }
  }
}
