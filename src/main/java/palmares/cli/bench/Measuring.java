package palmares.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import palmares.bench.Figure;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Machine;
import palmares.cli.output.AtomicFile;
import palmares.cli.output.Output;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.Terminal;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** How often it is measured, from which seed, and where the figures go. */
final class Measuring {
  private static final OutputTable<Figure> SHEET =
      new OutputTable<Figure>()
          .text("figure", Figure::label)
          .text("value", Measuring::value)
          .text("aim", Measuring::aim)
          .text("", figure -> figure.kept() ? "" : "missed");

  private static final Set<String> PLACES = Set.of("--json", "--data", "--jobs", "--against", "-D");

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "Measures so often; the figures are medians (default: 3).")
  private int runs;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "What all that is random is drawn from (default: 1).")
  private long seed;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes the figures there too, as one flat object.")
  private @Nullable Path json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  int runs() {
    if (runs < 1) {
      throw new ParameterException(spec.commandLine(), "--runs is 1 or more, not " + runs);
    }
    return runs;
  }

  /**
   * Holds an option to what can be measured.
   *
   * @throws ParameterException if it is less than 1, or more than the most
   */
  void requireWithin(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new ParameterException(
          spec.commandLine(), "%s is from 1 to %d, not %d".formatted(option, most, value));
    }
  }

  long seed() {
    return seed;
  }

  /**
   * Tells what was measured.
   *
   * @param setting what was measured, by name, for the JSON
   */
  void tell(Terminal terminal, Map<String, ?> setting, Figures figures) throws IOException {
    Map<String, Object> machine = Machine.describe();
    var text = new StringWriter();
    SHEET.write(Output.table(), text, "nothing", row -> figures.all().forEach(row));
    terminal.print(text.toString().stripTrailing());
    terminal.print("on " + machine);
    if (json != null) {
      var all = new LinkedHashMap<String, Object>();
      all.put("command", command());
      all.putAll(setting);
      all.put("runs", runs);
      all.put("seed", seed);
      all.putAll(machine);
      all.putAll(figures.values());
      AtomicFile.write(
          json,
          writer ->
              new PrintWriter(writer, true)
                  .println(
                      JsonMapper.shared()
                          .writerWithDefaultPrettyPrinter()
                          .writeValueAsString(all)));
    }
  }

  /** As it was called, without what says where its servers and files are. */
  private String command() {
    var words = new ArrayList<String>(List.of("palmares"));
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
