package palmares.cli.output;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.Session;
import picocli.CommandLine.Option;

/** The options that choose the format of a command's results and where they are written. */
public final class Output {
  /** A format of results. */
  public enum Format {
    /** For people. */
    TABLE,
    /** For spreadsheets and scripts. */
    CSV,
    /** For programs. */
    JSON
  }

  @Option(
      names = "--format",
      defaultValue = "table",
      description = "table (for people; the default), csv or json.")
  private Format format = Format.TABLE;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Writes the results to FILE. The file appears complete or not at all.")
  private @Nullable Path out;

  @Option(
      names = "--raw",
      description =
          "CSV with texts unchanged. Without it, a text that a spreadsheet would run as a formula"
              + " (it begins with = + - @ or a control character) gets an apostrophe in front.")
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

  /**
   * The number of rows to write.
   *
   * @param requested what the caller asked for; null for the default
   * @param inTable the default for tables, which must fit into memory; other formats have no limit
   */
  public int limit(@Nullable Integer requested, int inTable) {
    if (requested != null) {
      return requested;
    }
    return format == Format.TABLE ? inTable : Integer.MAX_VALUE;
  }

  /**
   * Writes to the chosen file or to standard output.
   *
   * @throws palmares.cli.terminal.UserError if the file cannot be written
   */
  public void write(Session session, AtomicFile.Content content) throws IOException {
    if (out != null) {
      AtomicFile.write(out, content);
      return;
    }
    // Flushed but not closed, because the terminal's stream stays in use.
    var writer = new PrintWriter(session.terminal().out(), false, StandardCharsets.UTF_8);
    content.writeTo(writer);
    writer.flush();
  }
}
