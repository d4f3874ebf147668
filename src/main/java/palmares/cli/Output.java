package palmares.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.Listing;
import palmares.cli.launch.Session;
import palmares.cli.terminal.AtomicFile;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.UserError;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Commands;
import picocli.CommandLine.Option;

/** The options that choose the format of a command's results and where they are written. */
final class Output {
  @Option(
      names = "--format",
      defaultValue = "table",
      description = "table (for people; the default), csv, json or xlsx.")
  private OutputFormat format = OutputFormat.TABLE;

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

  /** The defaults. */
  Output() {}

  /**
   * As if these options were given.
   *
   * @param out null for standard output
   */
  Output(OutputFormat format, @Nullable Path out) {
    this.format = format;
    this.out = out;
  }

  /** Whether none of these options is given. */
  boolean isDefault() {
    return format == OutputFormat.TABLE && out == null && !raw;
  }

  /** The media type of the chosen format. */
  String type() {
    return format.mediaType() + (raw ? ";raw=true" : "");
  }

  /**
   * Checks the options before anything starts.
   *
   * @throws UserError if a spreadsheet would be printed on a terminal
   */
  void check(Session session) {
    if (format == OutputFormat.XLSX && out == null && session.terminal().shown()) {
      throw UserError.badUsage(new CommandSentences.XlsxOnTerminal("--out FILE"));
    }
  }

  /**
   * Prints a result, and notes about it to standard error.
   *
   * @return the exit code: 0, 1 if what it shows has failed, or 3 if a person must approve it
   */
  int print(Session session, Listing listing) throws IOException {
    Listing.Body body = listing.in(format);
    write(session, out -> body.content().write(out, raw));
    return noted(session, body);
  }

  /** Prints the notes about a result; returns the exit code. */
  static int noted(Session session, Listing.Body body) {
    body.notes().forEach(note -> session.note(TerminalText.of(TaskOutput.plain(note))));
    body.steps().forEach(step -> session.note("  " + TerminalText.of(Commands.of(step))));
    return switch (body.status()) {
      case OK -> 0;
      case FAILED -> UserError.FAILED;
      case HELD -> UserError.HELD;
    };
  }

  /**
   * Writes to the chosen file or to standard output.
   *
   * @throws palmares.cli.terminal.UserError if the file cannot be written
   */
  private void write(Session session, AtomicFile.Bytes content) throws IOException {
    if (out != null) {
      AtomicFile.writeBytes(out, content);
    } else {
      content.writeTo(session.terminal().out());
    }
  }
}
