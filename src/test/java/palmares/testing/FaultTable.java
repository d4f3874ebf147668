package palmares.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What campaigns have come to: their journals, and the table of faults in the documentation. */
public final class FaultTable {
  private static final Path PAGE = Path.of("src/docs/reliability.md");
  private static final String HEADING = "| fault |";

  private FaultTable() {}

  /**
   * Writes the row of a fault, in place of its former one.
   *
   * @param acknowledged events whose acceptance clients received
   * @param seed replays the campaign
   */
  public static void write(String fault, long runs, long acknowledged, long violations, long seed) {
    String row =
        "| %s | %d | %d | %d | %s | %s | %d |"
            .formatted(
                fault,
                runs,
                acknowledged,
                violations,
                LocalDate.now(ZoneOffset.UTC),
                commit(),
                seed);
    try {
      var lines = new ArrayList<>(Files.readAllLines(PAGE));
      int at = 0;
      while (!lines.get(at).startsWith(HEADING)) {
        at++;
      }
      at += 2;
      while (at < lines.size() && lines.get(at).startsWith("|")) {
        if (lines.get(at).startsWith("| " + fault + " |")) {
          lines.remove(at);
          break;
        }
        at++;
      }
      lines.add(at, row);
      Files.writeString(PAGE, String.join("\n", lines) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String commit() {
    try {
      Process git = new ProcessBuilder("git", "rev-parse", "--short", "HEAD").start();
      String commit = new String(git.getInputStream().readAllBytes(), UTF_8).strip();
      return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? commit : "unknown";
    } catch (IOException e) {
      return "unknown";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }

  /** Appends a verdict to a campaign's journal, which makes a later run go on behind it. */
  public static void note(Path journal, String key, String verdict) {
    try {
      Files.createDirectories(journal.toAbsolutePath().getParent());
      Files.writeString(
          journal,
          key + "\t" + verdict + "\n",
          UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last verdict on each key of a journal; none if there is no journal. */
  public static Map<String, String> noted(Path journal) {
    var noted = new LinkedHashMap<String, String>();
    try {
      for (String line : Files.exists(journal) ? Files.readAllLines(journal) : List.<String>of()) {
        int end = line.lastIndexOf('\t');
        noted.put(line.substring(0, end), line.substring(end + 1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return noted;
  }
}
