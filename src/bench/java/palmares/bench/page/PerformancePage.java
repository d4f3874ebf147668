package palmares.bench.page;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import palmares.bench.Resource;
import palmares.bench.page.Measurements.Measurement;
import palmares.platform.chart.Chart;

/** The performance page in Markdown, and its plot. */
public final class PerformancePage {
  private final Measurements measured;
  private final ClosingSection closings;

  /**
   * @throws IllegalArgumentException if no closing was measured
   */
  public PerformancePage(List<Measurement> measurements) {
    this.measured = new Measurements(List.copyOf(measurements));
    if (measured.sizes().isEmpty()) {
      throw new IllegalArgumentException(
          "no closing was measured: name a file that 'palmares-bench close --json' wrote");
    }
    this.closings = new ClosingSection(measured);
  }

  /** The plot, as SVG. */
  public String plot() {
    return closings.chart().file();
  }

  /** The plot of a failover, as SVG; empty if none was measured. */
  public Optional<String> failover() {
    return new NodesSection(measured).failover().map(Chart::file);
  }

  /**
   * The page.
   *
   * @param plot the name of the plot's file, in the page's folder
   * @param failover the name of the file with the plot of a failover
   */
  public String markdown(String plot, String failover) {
    var footprint = Footprint.of(measured);
    var saturation = new SaturationSection(measured);
    var placeholders = new HashMap<String, String>();
    placeholders.put("commands", commands());
    placeholders.put("shown", Targets.table(measured));
    placeholders.put("growth", closings.growth());
    placeholders.put("exponents", closings.exponents());
    placeholders.put("plot", plot);
    placeholders.put("steps", closings.steps());
    placeholders.put("closing-saturation", saturation.closing());
    placeholders.put("writing-saturation", saturation.writing());
    placeholders.put("history", new HistorySection(measured).text());
    placeholders.put("nodes", new NodesSection(measured).text(failover));
    placeholders.put("console", new ConsoleSection(measured).text());
    placeholders.put("bytes", footprint.table(measured));
    placeholders.putAll(new HundredMillion(measured, footprint).placeholders());
    placeholders.put("all", all());
    return new Template(Resource.text("performance.md")).filled(placeholders);
  }

  private String commands() {
    var table = new Table("command", "cores", "memory", "heap", "Java", "system");
    for (Measurement measurement : measured.all()) {
      table.row(
          "`%s`".formatted(command(measurement)),
          measurement.text("cores"),
          measurement.text("memory_gb") + " GB",
          measurement.text("heap_mb") + " MB",
          measurement.text("java"),
          measurement.text("os"));
    }
    return table.toString();
  }

  private static String command(Measurement measurement) {
    String command = measurement.text("command");
    return command.isEmpty() ? "palmares-bench …" : command;
  }

  /** All figures of all commands. */
  private String all() {
    return measured.all().stream()
        .map(measurement -> "`%s`\n\n%s".formatted(command(measurement), figures(measurement)))
        .collect(Collectors.joining("\n"));
  }

  private static Table figures(Measurement measurement) {
    var table = new Table("figure", "value");
    measurement.values().keySet().stream()
        .sorted()
        .forEach(
            name ->
                measurement
                    .number(name)
                    .ifPresent(value -> table.row("`" + name + "`", Units.number(value))));
    return table;
  }

  /** A text with placeholders such as {@code {name}}. */
  record Template(String text) {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z-]+)}");

    /**
     * Replaces the placeholders.
     *
     * @throws IllegalArgumentException if a placeholder has no value
     */
    String filled(Map<String, String> values) {
      return PLACEHOLDER
          .matcher(text)
          .replaceAll(
              placeholder -> {
                String value = values.get(placeholder.group(1));
                if (value == null) {
                  throw new IllegalArgumentException(
                      "no value for the placeholder " + placeholder.group());
                }
                return Matcher.quoteReplacement(value.stripTrailing());
              });
    }
  }
}
