package palmares.bench.page;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import palmares.platform.chart.Axis;
import palmares.platform.chart.Caption;
import palmares.platform.chart.Chart;
import palmares.platform.chart.LineChart;
import palmares.platform.chart.Series;

/** Writes the page's section about several machines. */
final class NodesSection {
  private static final List<Pair> PAIRS =
      List.of(
          new Pair("writes to one board, a second", "nodes_write", "cluster", "one"),
          new Pair("writes to six boards with quotas, a second", "nodes_quota", "cluster", "one"),
          new Pair("memory of an idle scheduler, MB", "nodes_memory", "cluster_mb", "one_mb"));

  private final Measurements measured;

  NodesSection(Measurements measured) {
    this.measured = measured;
  }

  /** A figure of a cluster, and the same of one Redis. */
  private record Pair(String label, String name, String cluster, String one) {}

  /**
   * The section.
   *
   * @param plot the name of the file with {@link #failover}
   */
  String text(String plot) {
    var text = new StringBuilder();
    boolean pairs = PAIRS.stream().anyMatch(pair -> has(pair.name() + "_" + pair.one()));
    if (pairs) {
      var table = new Table("", "on three masters", "on one Redis");
      PAIRS.forEach(
          pair ->
              table.row(
                  pair.label(),
                  cell(pair.name() + "_" + pair.cluster()),
                  cell(pair.name() + "_" + pair.one())));
      text.append(table).append('\n');
    }
    SortedSet<Long> counts = measured.numbers("nodes_close_seconds");
    if (!counts.isEmpty()) {
      text.append(closings(counts)).append('\n');
    }
    if (failover().isPresent()) {
      text.append("![acknowledged events by second, while a master dies](")
          .append(plot)
          .append(")\n");
    }
    return text.isEmpty() ? "Several machines were not measured.\n" : text.toString();
  }

  /**
   * The closings that schedulers share.
   *
   * @param counts of schedulers that were measured
   */
  private Table closings(SortedSet<Long> counts) {
    var table = new Table("schedulers, each with a tenth of a core", "seconds", "periods of each");
    for (long count : counts) {
      String shares =
          LongStream.rangeClosed(1, count)
              .mapToObj(n -> measured.find("nodes_share_%s_%s".formatted(count, n)))
              .map(share -> Units.maybe(share, Units::count))
              .collect(Collectors.joining(", "));
      table.row("" + count, cell("nodes_close_seconds_" + count), count == 1 ? "all" : shares);
    }
    return table;
  }

  private boolean has(String name) {
    return measured.find(name).isPresent();
  }

  private String cell(String name) {
    return Units.maybe(measured.find(name), Units::number);
  }

  /** The events by second of a failover; empty if none was measured. */
  Optional<Chart> failover() {
    List<Series> series =
        Stream.concat(
                series("boards of the master that dies", "nodes_events_of_master"),
                series("boards of the others", "nodes_events_of_others"))
            .toList();
    return series.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new LineChart(
                new Caption(
                    "Acknowledged events by second, while a master of a cluster dies",
                    "It is killed at 2 seconds.",
                    Locale.ENGLISH),
                Axis.numbers("seconds"),
                Axis.numbers("events"),
                series));
  }

  private Stream<Series> series(String name, String figure) {
    return measured.all().stream()
        .map(measurement -> measurement.text(figure))
        .filter(counts -> !counts.isEmpty())
        .reduce((earlier, later) -> later)
        .map(counts -> Series.of(name, Stream.of(counts.split(",")).map(Long::valueOf).toList()))
        .stream();
  }
}
