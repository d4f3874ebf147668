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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the runs of a campaign have come to, a line each, so that one that was stopped goes on; and
 * its row on the page about reliability, which is made of these lines alone. The last line of a run
 * counts. A run of another seed, or of another product, is another run.
 */
public final class FaultJournal {
  /** What a run has come to in which all was as it must be. */
  public static final String KEPT = "kept";

  private static final Path PAGE = Path.of("src", "docs", "reliability.md");
  private static final String HEADING = "| fault |";

  /** Where there is no repository. */
  private static final String UNKNOWN = "unknown";

  private final Path file;
  private final Path page;
  private final String fault;
  private final long seed;
  private final String commit;
  private final Map<String, Run> runs = new LinkedHashMap<>();

  /**
   * What is known of a run.
   *
   * @param faults how many were injected
   * @param acknowledged events whose acceptance clients received
   * @param verdict {@link #KEPT}, or what was wrong
   */
  private record Run(String commit, long faults, long acknowledged, String verdict) {
    static Run read(String[] fields) {
      return new Run(fields[2], Long.parseLong(fields[4]), Long.parseLong(fields[5]), fields[6]);
    }
  }

  /**
   * @param campaign names the file in {@code target}
   * @param fault as the page names it
   * @param seed replays the campaign
   */
  public FaultJournal(String campaign, String fault, long seed) {
    this(Path.of("target", campaign + ".tsv"), PAGE, fault, seed);
  }

  FaultJournal(Path file, Path page, String fault, long seed) {
    this.file = file;
    this.page = page;
    this.fault = fault;
    this.seed = seed;
    this.commit = presentCommit();
    var isOfThisProduct = new HashMap<String, Boolean>();
    lines().stream()
        .map(line -> line.split("\t", -1))
        .filter(fields -> fields[0].equals(fault) && fields[1].equals("" + seed))
        .filter(
            fields ->
                isOfThisProduct.computeIfAbsent(fields[2], FaultJournal::hasTheProductOfToday))
        .forEach(fields -> runs.put(fields[3], Run.read(fields)));
  }

  /** What another product has come to is no run of this one. */
  private static boolean hasTheProductOfToday(String commit) {
    return commit.equals(UNKNOWN)
        || git("diff", "--quiet", commit, "HEAD", "--", "src/main", "db", "pom.xml") != null;
  }

  private List<String> lines() {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether all was as it must be in the run. One that failed is tried again. */
  public boolean isKept(String run) {
    Run known = runs.get(name(run));
    return known != null && known.verdict().equals(KEPT);
  }

  /**
   * Notes a run, in place of what it came to before, and writes the row.
   *
   * @param faults how many were injected; none is no run, and is refused
   * @param acknowledged events whose acceptance clients received
   * @param verdict {@link #KEPT}, or what was wrong
   */
  public void note(String run, long faults, long acknowledged, String verdict) {
    if (faults <= 0 && verdict.equals(KEPT)) {
      throw new AssertionError(fault + ", " + run + ": no fault was injected");
    }
    var noted = new Run(commit, faults, acknowledged, verdict.strip().replaceAll("\\s+", " "));
    runs.put(name(run), noted);
    String line =
        String.join(
            "\t",
            fault,
            "" + seed,
            commit,
            name(run),
            "" + faults,
            "" + acknowledged,
            noted.verdict());
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(
          file, line + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      writeRow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Notes a run as kept if it ends, and as what it fails with otherwise. One that is kept already
   * is not run.
   *
   * @param action returns the events whose acceptance clients received
   * @throws AssertionError as the run
   */
  public void run(String run, long faults, LongSupplier action) {
    if (isKept(run)) {
      return;
    }
    long acknowledged;
    try {
      acknowledged = action.getAsLong();
    } catch (AssertionError | RuntimeException e) {
      note(run, faults, 0, String.valueOf(e.getMessage()));
      throw e;
    }
    note(run, faults, acknowledged, KEPT);
  }

  /** Injects some faults under load, and compares what it has come to with a model. */
  public interface Round {
    /**
     * @param seed of all that happens by chance
     * @return the events whose acceptance clients received
     */
    long play(int faults, long seed) throws IOException;
  }

  /**
   * Plays rounds until there were as many faults. A round that fails does not keep the others from
   * being played.
   *
   * @throws AssertionError if one has failed
   */
  public void rounds(int faults, int ofARound, Round round) {
    for (int n = 0; n < faults; n += ofARound) {
      int begin = n;
      int count = Math.min(ofARound, faults - n);
      try {
        run("%d faults from %d".formatted(count, n), count, () -> play(round, count, seed + begin));
      } catch (AssertionError e) {
        System.out.println(e.getMessage());
      }
    }
    if (!violations().isEmpty()) {
      throw new AssertionError("%s, seed %d: %s".formatted(fault, seed, violations()));
    }
  }

  private static long play(Round round, int faults, long seed) {
    try {
      return round.play(faults, seed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was wrong, a run each. */
  public List<String> violations() {
    return runs.entrySet().stream()
        .filter(run -> !run.getValue().verdict().equals(KEPT))
        .map(run -> run.getKey() + ": " + run.getValue().verdict())
        .toList();
  }

  /** The faults of the runs in which all was as it must be; those of others are still wanted. */
  public long faults() {
    return runs.values().stream()
        .filter(run -> run.verdict().equals(KEPT))
        .mapToLong(Run::faults)
        .sum();
  }

  private static String name(String run) {
    return run.replace('\t', ' ');
  }

  private void writeRow() throws IOException {
    var commits = new LinkedHashSet<String>();
    runs.values().forEach(run -> commits.add(run.commit()));
    String row =
        "| %s | %d | %d | %d | %s | %s | %d |"
            .formatted(
                fault,
                runs.values().stream().mapToLong(Run::faults).sum(),
                runs.values().stream().mapToLong(Run::acknowledged).sum(),
                violations().size(),
                LocalDate.now(ZoneOffset.UTC),
                String.join(", ", commits),
                seed);
    var lines = new ArrayList<>(Files.readAllLines(page));
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
    Files.writeString(page, String.join("\n", lines) + "\n");
  }

  private static String presentCommit() {
    return Objects.requireNonNullElse(git("rev-parse", "--short=8", "HEAD"), UNKNOWN);
  }

  /** What git prints; null if it fails. */
  private static @Nullable String git(String... words) {
    try {
      Process git =
          new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(words)).toList()).start();
      String printed = new String(git.getInputStream().readAllBytes(), UTF_8).strip();
      return git.waitFor() == 0 ? printed : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
