package palmares.operations.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * What Prometheus has scraped, and which alerts its own rule engine derives from it: {@code
 * promtool} evaluates the rules over the series.
 */
final class Scrapes {
  static final Path RULES = Path.of("src", "deploy", "prometheus", "alerts.yml").toAbsolutePath();

  private static final String FIRED =
      "max by (alertname) (max_over_time(ALERTS{alertstate=\"firing\"}[1h]))";
  private static final Pattern USED = Pattern.compile("(palmares_|disk_)(?!.*_bucket).*");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");

  private final Map<String, List<String>> series = new HashMap<>();
  private final Set<String> names = new TreeSet<>();
  private final Set<String> seen = new HashSet<>();
  private int count;

  /** Whether {@code promtool} is installed, as Debian's package {@code prometheus} does. */
  static boolean canEvaluate() {
    try {
      return new ProcessBuilder("promtool", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Begins the scrapes of a moment. A series that is missing in it ends, as in Prometheus. */
  void begin() {
    seen.clear();
    series.forEach((name, values) -> values.add(isOver(values) ? "_" : "stale"));
    count++;
  }

  private static boolean isOver(List<String> values) {
    String last = values.get(values.size() - 1);
    return last.equals("_") || last.equals("stale");
  }

  /** Adds the lines that an instance answered. */
  void add(String instance, List<String> lines) {
    for (String line : lines) {
      int end = line.lastIndexOf(' ');
      String name = line.substring(0, end);
      names.add(metric(name));
      if (USED.matcher(name).matches()) {
        String label = "instance=\"" + instance + "\"";
        String labelled =
            name.endsWith("}")
                ? name.replaceFirst("}$", "," + label + "}")
                : name + "{" + label + "}";
        List<String> values =
            series.computeIfAbsent(
                labelled,
                first -> new ArrayList<>(IntStream.range(0, count).mapToObj(i -> "_").toList()));
        values.set(count - 1, line.substring(end + 1));
      }
    }
  }

  private static String metric(String line) {
    var name = NAME.matcher(line);
    return name.lookingAt() ? name.group() : line;
  }

  /** The names of all metrics that were scraped. */
  Set<String> names() {
    return names;
  }

  /** The number of moments so far. */
  int count() {
    return count;
  }

  /**
   * Evaluates the rules as Prometheus does.
   *
   * @param expected the alerts that fire by the end of each number of scrapes, and no others
   * @return what {@code promtool} complains of; empty if all is as expected
   */
  String evaluate(Map<Integer, List<String>> expected) {
    var tests = new ArrayList<Map<String, Object>>();
    expected.forEach(
        (scrapes, alerts) ->
            tests.add(
                Map.of(
                    "expr",
                    FIRED,
                    "eval_time",
                    (scrapes - 1) * Installation.INTERVAL.toSeconds() + "s",
                    "exp_samples",
                    alerts.stream()
                        .map(alert -> Map.of("labels", labels(alert), "value", 1))
                        .toList())));
    var file =
        Map.of(
            "rule_files",
            List.of(RULES.toString()),
            "evaluation_interval",
            Installation.INTERVAL.toSeconds() + "s",
            "tests",
            List.of(
                Map.of(
                    "interval",
                    Installation.INTERVAL.toSeconds() + "s",
                    "input_series",
                    series.entrySet().stream()
                        .map(
                            each ->
                                Map.of(
                                    "series",
                                    each.getKey(),
                                    "values",
                                    String.join(" ", each.getValue())))
                        .toList(),
                    "promql_expr_test",
                    tests)));
    return run(JsonMapper.shared().writeValueAsString(file), "test");
  }

  private static String labels(String alert) {
    return "{alertname=\"" + alert + "\"}";
  }

  /** Has {@code promtool}, if it is installed, check the syntax of queries. */
  static String check(List<String> queries) {
    var rules =
        IntStream.range(0, queries.size())
            .mapToObj(i -> Map.of("record", "query" + i, "expr", queries.get(i)))
            .toList();
    var file = Map.of("groups", List.of(Map.of("name", "queries", "rules", rules)));
    return canEvaluate() ? run(JsonMapper.shared().writeValueAsString(file), "check") : "";
  }

  private static String run(String yaml, String what) {
    try {
      Path file = Files.createTempFile("palmares-alerts", ".yml");
      try {
        Files.writeString(file, yaml);
        return run(file, what);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a file of tests, and returns what {@code promtool} complains of. */
  static String run(Path tests) throws IOException {
    return run(tests, "test");
  }

  private static String run(Path file, String what) throws IOException {
    Process tool =
        new ProcessBuilder("promtool", what, "rules", file.toString())
            .redirectErrorStream(true)
            .start();
    String answer = new String(tool.getInputStream().readAllBytes(), UTF_8);
    return tool.onExit().join().exitValue() == 0 ? "" : answer;
  }
}
