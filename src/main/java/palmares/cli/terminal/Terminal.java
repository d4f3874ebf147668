package palmares.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams that a command reads and writes.
 *
 * @param in standard input, which arguments name as {@code -}
 * @param out results only, so that they can be piped; in UTF-8
 * @param err notes, progress and errors
 * @param watched whether {@code err} is an interactive terminal
 */
public record Terminal(InputStream in, PrintStream out, PrintStream err, boolean watched) {

  /** The standard streams of this process. */
  public static Terminal ofProcess() {
    return new Terminal(
        System.in, utf8(FileDescriptor.out), utf8(FileDescriptor.err), isTerminal());
  }

  /** Prints a line of results. */
  public void print(String line) {
    out.println(line);
  }

  /** Prints a line to {@code err}. */
  public void note(String line) {
    err.println(line);
  }

  private static PrintStream utf8(FileDescriptor file) {
    return new PrintStream(new FileOutputStream(file), true, StandardCharsets.UTF_8);
  }

  /** Asks the shell's {@code test}, because Java answers only for all streams together. */
  private static boolean isTerminal() {
    try {
      return new ProcessBuilder("test", "-t", "2")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return System.console() != null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
