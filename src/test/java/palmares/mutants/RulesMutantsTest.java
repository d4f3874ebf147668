package palmares.mutants;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reads what PIT has found of the rules: {@code ./mvnw -Pmutants test}. */
class RulesMutantsTest {
  private static final Path REPORT = Path.of("target/pit-reports/mutations.csv");
  private static final Path MAIN = Path.of("src/main/java");
  private static final List<String> CAUGHT = List.of("KILLED", "TIMED_OUT", "MEMORY_ERROR");

  /** A line of the report: file, class, mutator, method, line, status, test. */
  private record Change(String area, String key, boolean isCaught) {
    static Change of(String line) {
      String[] fields = line.split(",", 7);
      String type = fields[1].replaceFirst("\\$.*", "");
      String folder = type.substring(0, type.lastIndexOf('.')).replace('.', '/');
      Path file = MAIN.resolve(folder).resolve(fields[0]);
      String mutator = fields[2].substring(fields[2].lastIndexOf('.') + 1);
      String code = Mutant.lines(file).get(Integer.parseInt(fields[4]) - 1).strip();
      return new Change(
          "rules: " + folder.substring(folder.lastIndexOf('/') + 1),
          "%s: %s => %s".formatted(file, code, mutator),
          CAUGHT.contains(fields[5]));
    }
  }

  @Test
  void everyMutantOfTheRulesIsCaughtOrExplained() {
    List<Change> changes = Mutant.lines(REPORT).stream().map(Change::of).toList();
    assertThat(changes).as("%s", REPORT).isNotEmpty();
    Set<String> explained = Explanations.read(RulesMutantsTest::isOf).keySet();
    changes.stream()
        .collect(groupingBy(Change::area))
        .forEach((area, all) -> write(area, all, explained));
    assertThat(changes.stream().filter(change -> isOpen(change, explained)).map(Change::key))
        .isEmpty();
  }

  private static void write(String area, List<Change> changes, Set<String> explained) {
    long caught = changes.stream().filter(Change::isCaught).count();
    long open = changes.stream().filter(change -> isOpen(change, explained)).count();
    Reliability.write(area, changes.size(), caught, changes.size() - caught - open, open);
  }

  private static boolean isOpen(Change change, Set<String> explained) {
    return !change.isCaught() && !explained.contains(change.key());
  }

  /** Whether it is the key of a mutant of the rules. */
  static boolean isOf(String key) {
    return key.startsWith(MAIN.resolve("palmares/rules/").toString());
  }
}
