package palmares;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of payments holds those of outcomes that are not posted yet, which are no money. Who
 * needs to know what was paid reads the views; the code here may read the table itself.
 */
class PaymentReadersTest {
  private static final List<Path> MAIN =
      List.of(
          Path.of("src", "main", "java", "palmares"),
          Path.of("src", "main", "resources", "palmares"));

  /** Packages and classes, and why. */
  private static final Map<String, String> READERS =
      Map.ofEntries(
          Map.entry("settlement/reward/", "computes and writes them"),
          Map.entry("settlement/outcome/", "counts, posts and forgets them"),
          Map.entry("settlement/verification/", "derives them again and compares"),
          Map.entry("settlement/manifest/", "adds up what was posted"),
          Map.entry("settlement/closing/OwnTableFilling", "copies them into tables of their own"),
          Map.entry("settlement/closing/Preview", "shows what a period would pay"),
          Map.entry(
              "operations/amendment/", "shows what an outcome would pay, before it is posted"),
          Map.entry(
              "operations/explain/OutcomeRows",
              "explains awards, and says whether they are posted"),
          Map.entry(
              "operations/signals/ClosingSignals", "shows a held outcome's share of the budget"),
          Map.entry(
              "operations/report/FinalLines", "shows the awards of a revision, posted or not"),
          Map.entry(
              "operations/report/PendingDecisions", "adds up what a person is asked to approve"),
          Map.entry("operations/batches/BatchRows", "adds up what a person is asked to approve"),
          Map.entry("operations/report/HallOfFame", "adds up the awards of posted outcomes"),
          Map.entry("operations/report/MemberHistory", "shows the awards of posted outcomes"));

  private static final Pattern READING =
      Pattern.compile(
          "\\b(?i:from|join|into|update|copy|table)\\s+(payment(_shared)?|award(_changes?)?)\\b"
              + "|\"payment\"|\\{payments}|\\bOutcomeTables\\.payments\\(");

  @Test
  void nothingButTheCodeThatFillsPostsAndVerifiesReadsPayments() throws IOException {
    var readers = new TreeSet<String>();
    for (Path root : MAIN) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : (Iterable<Path>) files.filter(PaymentReadersTest::isCode)::iterator) {
          if (READING.matcher(Files.readString(file)).find()) {
            readers.add(root.relativize(file).toString().replace('\\', '/'));
          }
        }
      }
    }
    assertThat(readers)
        .isNotEmpty()
        .allSatisfy(
            reader ->
                assertThat(READERS.keySet().stream().filter(reader::startsWith))
                    .as("%s reads the table payment: read the view transfer", reader)
                    .isNotEmpty());
    assertThat(READERS.keySet())
        .as("no longer needed")
        .allSatisfy(allowed -> assertThat(readers).anyMatch(name -> name.startsWith(allowed)));
  }

  private static boolean isCode(Path file) {
    return file.toString().endsWith(".java") || file.toString().endsWith(".sql");
  }
}
