package palmares.bench.page;

import java.util.List;
import java.util.stream.Collectors;

/** The page about what was measured, in Markdown, and its plot. */
public final class PerformancePage {
  private final Measurements measured;
  private final Closings closings;

  /**
   * @throws IllegalArgumentException if no closing is among what was measured
   */
  public PerformancePage(List<Measurement> measurements) {
    this.measured = new Measurements(List.copyOf(measurements));
    if (measured.sizes().isEmpty()) {
      throw new IllegalArgumentException(
          "no closing was measured: give what 'palmares bench close --json' wrote");
    }
    this.closings = new Closings(measured);
  }

  /** The plot, as SVG. */
  public String plot() {
    return new Plot(closings.series()).svg();
  }

  /**
   * The page.
   *
   * @param plot the name of the plot's file beside it
   */
  public String markdown(String plot) {
    var footprint = Footprint.of(measured);
    var saturation = new Saturation(measured);
    return """
        # Performance

        Made by `palmares bench page` from what these commands measured, each figure beside the floor of
        its parts or the usual way in the same run. PostgreSQL, Redis, the program and what drives it
        share one machine.

        %1$s
        ## What it is held to

        %2$s
        ## Closing, by size

        A board of random ids and a heavy-tailed spread of points with many ties, closed by the real job;
        every invitation pays, and so do the first thousand ranks. The floor is the same ZSET read and
        thrown away, the same lines by one COPY with their indexes built after, and the same transfers and
        entries by one bare `INSERT … SELECT` each. The usual way is pages, `JdbcTemplate` batches of
        1,000, and a transaction a payment.

        %3$s
        %4$s
        ![seconds by members](%5$s)

        ### Where the time goes

        %6$s
        ## What saturates first

        %7$s
        %8$s
        ## Bytes

        %9$s
        ## A hundred million members

        %10$s
        ## All figures

        %11$s"""
        .formatted(
            commands(),
            Shown.table(measured),
            closings.growth(),
            closings.exponents(),
            plot,
            closings.steps(),
            saturation.closing(),
            saturation.writing(),
            footprint.table(measured),
            new HundredMillion(measured, footprint).text(),
            all());
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
    return command.isEmpty() ? "palmares bench …" : command;
  }

  /** Everything that the commands told, as they named it. */
  private String all() {
    return measured.all().stream()
        .map(
            measurement ->
                "`%s`\n\n%s".formatted(command(measurement), figures(measurement)))
        .collect(Collectors.joining("\n"));
  }

  private static Table figures(Measurement measurement) {
    var table = new Table("figure", "value");
    measurement.told().keySet().stream()
        .sorted()
        .forEach(
            name ->
                measurement
                    .number(name)
                    .ifPresent(value -> table.row("`" + name + "`", Words.number(value))));
    return table;
  }
}
