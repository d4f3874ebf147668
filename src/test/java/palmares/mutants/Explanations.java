package palmares.mutants;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Why no test catches a mutant: lines of mutants, each followed by an indented reason. */
final class Explanations {
  private static final Path FILE = Path.of("src/test/resources/palmares/mutants/explained.txt");

  private Explanations() {}

  /** Returns the reasons of some mutants, by their keys. */
  static Map<String, String> read(Predicate<String> keys) {
    var reasons = new LinkedHashMap<String, String>();
    String key = "";
    for (String line : Mutant.lines(FILE)) {
      if (line.startsWith("  ")) {
        reasons.merge(key, line.strip(), (one, other) -> one + " " + other);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        key = line;
        if (reasons.put(key, "") != null) {
          throw new AssertionError("explained twice: " + key);
        }
      }
    }
    reasons.forEach(
        (mutant, reason) -> {
          if (reason.isEmpty()) {
            throw new AssertionError("no reason is given for " + mutant);
          }
        });
    reasons.keySet().removeIf(keys.negate());
    return reasons;
  }
}
