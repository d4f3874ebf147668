package palmares.operations.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The documentation has each alert, and each fault that is known to raise one. */
class RunbookTest {
  private static final Path DOCS = Path.of("src", "docs", "monitoring.md");

  /** The address of the runbook: an operator's own, or else the project's. */
  private static final String RUNBOOK =
      "{{ or $externalLabels.palmares_runbook"
          + " \"https://github.com/palmares/palmares/blob/main/src/docs/monitoring.md\" }}#";

  private static final Pattern HEADING = Pattern.compile("(?m)^### (Palmares\\w+)$");

  @Test
  void eachAlertSaysHowBadItIsAndLinksItsSection() throws IOException {
    Set<String> sections =
        HEADING
            .matcher(Files.readString(DOCS))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toSet());
    Map<String, Map<String, ?>> alerts = alerts();
    assertThat(alerts.keySet()).isEqualTo(sections);
    alerts.forEach(
        (name, alert) -> {
          assertThat(texts(alert, "labels").get("severity")).as(name).isIn("critical", "warning");
          assertThat(texts(alert, "annotations").get("summary")).as(name).isNotBlank();
          assertThat(texts(alert, "annotations").get("runbook_url"))
              .isEqualTo(RUNBOOK + name.toLowerCase(Locale.ROOT));
        });
  }

  @Test
  void eachSectionSaysWhatItMeansWhatToLookAtAndWhatToDo() throws IOException {
    String[] parts = Files.readString(DOCS).split("(?m)^##+ ");
    List<String> sections =
        Arrays.stream(parts).filter(part -> part.startsWith("Palmares")).toList();
    assertThat(sections)
        .isNotEmpty()
        .allSatisfy(section -> assertThat(section).contains("- Means: ", "- Look at: ", "- Do: "));
  }

  @Test
  void theTableHasTheFaultsThatAreTried() throws IOException {
    var table = new TreeMap<String, String>();
    Pattern.compile("(?m)^\\| ([^|]+) \\| `(Palmares\\w+)` \\|")
        .matcher(Files.readString(DOCS))
        .results()
        .forEach((MatchResult row) -> table.put(row.group(1), row.group(2)));
    assertThat(table)
        .isEqualTo(
            Arrays.stream(Fault.values())
                .collect(
                    Collectors.toMap(
                        Fault::words, Fault::alert, (one, other) -> one, TreeMap::new)));
  }

  @Test
  void theRulesPassTheirOwnTests() throws IOException {
    assumeThat(Scrapes.canEvaluate()).as("promtool is installed").isTrue();
    assertThat(Scrapes.run(Scrapes.RULES.resolveSibling("tests.yml"))).isEmpty();
    assertThat(Scrapes.run(Scrapes.RULES.resolveSibling("tests-of-days.yml"))).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Map<String, ?>> alerts() throws IOException {
    Map<String, List<Map<String, ?>>> file = new Yaml().load(Files.readString(Scrapes.RULES));
    var alerts = new TreeMap<String, Map<String, ?>>();
    for (Map<String, ?> group : Objects.requireNonNull(file.get("groups"))) {
      for (Map<String, ?> rule : new ArrayList<>((List<Map<String, ?>>) group.get("rules"))) {
        if (rule.containsKey("alert")) {
          alerts.put("" + rule.get("alert"), rule);
        }
      }
    }
    return alerts;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> texts(Map<String, ?> alert, String name) {
    return (Map<String, String>) Objects.requireNonNull(alert.get(name), name);
  }
}
