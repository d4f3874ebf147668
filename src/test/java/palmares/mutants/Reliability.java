package palmares.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import palmares.mutants.Campaign.Result;
import palmares.mutants.Campaign.Verdict;

/** Writes the results of a campaign to the documentation: a row for each area. */
final class Reliability {
  private static final Path PAGE = Path.of("src/docs/reliability.md");

  private Reliability() {}

  static boolean isOpen(Result result, Map<String, String> explained) {
    return (result.verdict() == Verdict.SURVIVED || result.verdict() == Verdict.UNREACHED)
        && !explained.containsKey(result.mutant().key())
        && !explained.containsKey(result.mutant().withoutNumber().key());
  }

  static void write(String area, List<Result> results, Map<String, String> explained) {
    long invalid = results.stream().filter(one -> one.verdict() == Verdict.INVALID).count();
    long caught = results.stream().filter(one -> one.verdict() == Verdict.CAUGHT).count();
    long open = results.stream().filter(one -> isOpen(one, explained)).count();
    long planted = results.size() - invalid;
    write(area, planted, caught, planted - caught - open, open);
  }

  static void write(String area, long planted, long caught, long explained, long open) {
    String row =
        "| %s | %s | %s | %s | %s | %s |"
            .formatted(area, planted, caught, explained, open, LocalDate.now(ZoneOffset.UTC));
    var lines = new ArrayList<>(Mutant.lines(PAGE));
    int last = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("| " + area + " |")) {
        lines.set(i, row);
        last = -1;
        break;
      }
      last = lines.get(i).startsWith("|") ? i : last;
    }
    if (last >= 0) {
      lines.add(last + 1, row);
    }
    try {
      Files.writeString(PAGE, String.join("\n", lines) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
