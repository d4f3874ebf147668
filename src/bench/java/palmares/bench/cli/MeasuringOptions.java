package palmares.bench.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.bench.Figure;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Machine;
import palmares.cli.terminal.AtomicFile;
import palmares.cli.terminal.Terminal;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** The options of every measurement, and the output of its figures. */
final class MeasuringOptions {
  private static final OutputTable<Figure> TABLE =
      new OutputTable<Figure>()
          .text("figure", Figure::label)
          .text("value", MeasuringOptions::value)
          .text("aim", MeasuringOptions::aim)
          .text("", figure -> figure.kept() ? "" : "missed");

  /** Options that say where servers and files are; left out of the recorded command. */
  private static final Set<String> PLACES =
      Set.of("--json", "--data", "--jobs", "--against", "--jar", "-D");

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of runs; the figures are their medians (default: 3).")
  private int runs;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of all random data (default: 1).")
  private long seed;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also writes the figures to FILE, as one flat JSON object.")
  private @Nullable Path json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  int runs() {
    if (runs < 1) {
      throw refused("--runs is 1 or more, not " + runs);
    }
    return runs;
  }

  long seed() {
    return seed;
  }

  /**
   * Requires an option to be from 1 to a maximum.
   *
   * @throws ParameterException if it is not
   */
  void requireWithin(String option, int value, int max) {
    if (value < 1 || value > max) {
      throw refused("%s is from 1 to %d, not %d".formatted(option, max, value));
    }
  }

  /**
   * Requires each size of {@code --members} to be 1 or more and to be named once.
   *
   * @throws ParameterException if one is not
   */
  void requireSizes(List<Long> members) {
    for (long size : members) {
      if (size < 1) {
        throw refused("--members is 1 or more, not " + size);
      }
      if (members.indexOf(size) != members.lastIndexOf(size)) {
        throw refused("--members names %d twice".formatted(size));
      }
    }
  }

  /**
   * Requires {@code --members} to be one size.
   *
   * @throws ParameterException if it is not
   */
  void requireOneSize(String option, List<Long> members) {
    if (members.size() > 1) {
      throw refused(option + " takes one size of --members");
    }
  }

  ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** The sizes for the JSON: one number, or several as a text. */
  static Object joined(List<Long> members) {
    return members.size() == 1
        ? members.get(0)
        : members.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /**
   * Prints the figures as a table, and writes the JSON if it is asked for.
   *
   * @param settings what was measured, by name, for the JSON
   */
  void print(Terminal terminal, Map<String, ?> settings, Figures figures) throws IOException {
    Map<String, Object> machine = Machine.describe();
    var text = new ByteArrayOutputStream();
    TABLE.write(OutputFormat.TABLE, false, text, "nothing", row -> figures.all().forEach(row));
    terminal.print(text.toString(UTF_8).stripTrailing());
    terminal.print("on " + machine);
    if (json != null) {
      var all = new LinkedHashMap<String, Object>();
      all.put("command", command());
      all.putAll(settings);
      all.put("runs", runs);
      all.put("seed", seed);
      all.putAll(machine);
      all.putAll(figures.values());
      var printer = JsonMapper.shared().writerWithDefaultPrettyPrinter();
      AtomicFile.write(
          json, writer -> new PrintWriter(writer, true).println(printer.writeValueAsString(all)));
    }
  }

  /** The call, without the options that say where servers and files are. */
  private String command() {
    var words = new ArrayList<String>(List.of(BenchCommand.NAME));
    boolean place = false;
    for (String word : spec.root().commandLine().getParseResult().originalArgs()) {
      boolean named = PLACES.stream().anyMatch(option -> word.startsWith(option + "="));
      if (!place && !named && !PLACES.contains(word)) {
        words.add(word);
      }
      place = PLACES.contains(word);
    }
    return String.join(" ", words);
  }

  private static String value(Figure figure) {
    return (number(figure.value()) + " " + figure.unit()).strip();
  }

  private static String number(double value) {
    double size = Math.abs(value);
    return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 1 ? "%.2f" : "%.3f", value);
  }

  private static String aim(Figure figure) {
    Aim aim = figure.aim();
    return aim == null ? "" : number(aim.bound()) + (aim.most() ? " or less" : " or more");
  }
}
