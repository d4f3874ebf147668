package palmares.cli.output;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.Session;
import picocli.CommandLine.Option;

/** In which format a command's results are written, and where to. */
public final class Output {
  @Option(
      names = "--format",
      defaultValue = "table",
      description = "table (for people; the default), csv or json.")
  private Format format = Format.TABLE;

  @Option(names = "--out", paramLabel = "FILE", description = "Writes there; whole or not at all.")
  private @Nullable Path out;

  @Option(
      names = "--raw",
      description =
          "CSV with texts as they are. Without it, a text that a spreadsheet would run as a formula"
              + " (it begins with = + - @ or a control character) is written behind an apostrophe.")
  private boolean raw;

  /** A table for people, as if no option was given. */
  public static Output table() {
    return new Output();
  }

  boolean raw() {
    return raw;
  }

  public Format format() {
    return format;
  }

  /** So many rows in a table, so that it fits into memory and on a screen; all in other formats. */
  public int most(@Nullable Integer asked, int inTable) {
    if (asked != null) {
      return asked;
    }
    return format == Format.TABLE ? inTable : Integer.MAX_VALUE;
  }

  public void write(Session session, AtomicFile.Content content) throws IOException {
    if (out != null) {
      AtomicFile.write(out, content);
      return;
    }
    // The stream of the terminal stays open.
    var writer = new PrintWriter(session.terminal().out(), false, StandardCharsets.UTF_8);
    content.writeTo(writer);
    writer.flush();
  }
}
