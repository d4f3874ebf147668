package palmares.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where a command reads and writes.
 *
 * @param in what {@code -} stands for
 * @param out for results only, so that they can be piped; in UTF-8
 * @param err for notes, progress and complaints
 * @param watched whether a person looks at {@code err}, who likes a bar that moves
 */
public record Terminal(InputStream in, PrintStream out, PrintStream err, boolean watched) {

  /** The process's own streams. */
  public static Terminal ofProcess() {
    return new Terminal(
        System.in, utf8(FileDescriptor.out), utf8(FileDescriptor.err), isTerminal());
  }

  /** Writes to the results. */
  public void print(String line) {
    out.println(line);
  }

  /** Writes to the notes. */
  public void note(String line) {
    err.println(line);
  }

  private static PrintStream utf8(FileDescriptor file) {
    return new PrintStream(new FileOutputStream(file), true, StandardCharsets.UTF_8);
  }

  /** Java can tell only of all streams at once; the shell's own test can tell of one. */
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
