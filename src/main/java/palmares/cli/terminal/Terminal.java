package palmares.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import palmares.platform.output.TerminalText;

/**
 * The streams that a command reads and writes.
 *
 * @param in standard input, which arguments name as {@code -}
 * @param out results only, so that they can be piped; in UTF-8
 * @param err notes, progress and errors
 * @param watched whether {@code err} is an interactive terminal
 * @param shown whether {@code out} is an interactive terminal
 */
public record Terminal(
    InputStream in, PrintStream out, PrintStream err, boolean watched, boolean shown) {
  private static final int ERR = 1;
  private static final int OUT = 2;

  /** The standard streams of this process. */
  public static Terminal ofProcess() {
    int terminals = terminals();
    return new Terminal(
        System.in,
        utf8(FileDescriptor.out),
        utf8(FileDescriptor.err),
        (terminals & ERR) != 0,
        (terminals & OUT) != 0);
  }

  /** Prints lines of results; a character that a terminal would run is escaped. */
  public void print(String lines) {
    out.println(TerminalText.lines(lines));
  }

  /** Prints lines to {@code err}; a character that a terminal would run is escaped. */
  public void note(String lines) {
    err.println(TerminalText.lines(lines));
  }

  private static PrintStream utf8(FileDescriptor file) {
    return new PrintStream(new FileOutputStream(file), true, StandardCharsets.UTF_8);
  }

  /** Java answers only for all streams together. Where there is no proc, the shell is asked. */
  private static int terminals() {
    try {
      return (isTerminal(2) ? ERR : 0) | (isTerminal(1) ? OUT : 0);
    } catch (IOException e) {
      return terminalsByShell();
    }
  }

  private static boolean isTerminal(int stream) throws IOException {
    String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
    return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
  }

  private static int terminalsByShell() {
    String test = "n=0; test -t 2 && n=%s; test -t 1 && n=$((n + %s)); exit $n".formatted(ERR, OUT);
    try {
      return new ProcessBuilder("sh", "-c", test)
          .redirectOutput(ProcessBuilder.Redirect.INHERIT)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start()
          .waitFor();
    } catch (IOException e) {
      return System.console() != null ? ERR | OUT : 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }
}
