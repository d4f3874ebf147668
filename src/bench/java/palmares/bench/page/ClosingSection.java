package palmares.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import palmares.platform.chart.Axis;
import palmares.platform.chart.Caption;
import palmares.platform.chart.LineChart;
import palmares.platform.chart.Series;
import palmares.platform.chart.Series.Point;

/** Writes the page's section about closings: growth by size, and steps. */
final class ClosingSection {
  private static final List<String> STEPS = List.of("begin", "seal", "drain", "fill", "pay");
  private static final String SECONDS = "close_seconds";

  /** The lines of the chart and their figures. */
  private static final SortedMap<String, String> LINES =
      new TreeMap<>(
          Map.of("closing", SECONDS, "floor", "floor_seconds", "the usual way", "usual_seconds"));

  private final Measurements measured;

  ClosingSection(Measurements measured) {
    this.measured = measured;
  }

  /** Seconds by members; both axes are logarithmic. */
  LineChart chart() {
    var series = new ArrayList<Series>();
    LINES.forEach(
        (name, figure) -> {
          SortedMap<Long, Double> values = measured.growth(figure).values();
          if (!values.isEmpty()) {
            series.add(
                new Series(
                    name,
                    values.entrySet().stream()
                        .map(value -> new Point(value.getKey(), value.getValue()))
                        .toList()));
          }
        });
    return new LineChart(
        new Caption(
            "How long a closing takes, by the number of members",
            "The table above has the values.",
            Locale.ENGLISH),
        Axis.logarithmic("members"),
        Axis.logarithmic("time of a closing")
            .format(seconds -> Units.seconds(seconds).replaceFirst("\\.0+ ", " ")),
        series);
  }

  String growth() {
    var table =
        new Table(
            "members",
            "closing",
            "members a second",
            "floor",
            "closing / floor",
            "the usual way",
            "heap kept",
            "Redis holds",
            "Redis blocked");
    for (long members : measured.sizes()) {
      table.row(
          Units.count(members),
          cell(members, SECONDS, Units::seconds),
          cell(members, "close_members_per_second", Units::count),
          cell(members, "floor_seconds", Units::seconds),
          cell(members, "close_over_floor", Units::number),
          cell(members, "usual_seconds", Units::seconds),
          cell(members, "heap_kept_mb", Units::megabytes),
          Units.maybe(redis(members), Units::bytes),
          cell(members, "redis_blocked_ms", millis -> Units.number(millis) + " ms"));
    }
    return table.toString();
  }

  private String cell(long members, String name, DoubleFunction<String> words) {
    return Units.maybe(measured.of(members, name), words);
  }

  private OptionalDouble redis(long members) {
    OptionalDouble member = measured.of(members, "redis_bytes_per_member");
    OptionalDouble event = measured.of(members, "redis_bytes_per_event");
    OptionalDouble events = measured.of(members, "events");
    return member.isPresent() && event.isPresent() && events.isPresent()
        ? OptionalDouble.of(
            members * member.getAsDouble() + events.getAsDouble() * event.getAsDouble())
        : OptionalDouble.empty();
  }

  /** The exponents of growth. */
  String exponents() {
    return Stream.of("close", "floor", "usual")
        .flatMap(
            who ->
                measured.growth(who + "_seconds").exponent().stream()
                    .mapToObj(power -> "%s **%s**".formatted(name(who), Units.number(power))))
        .reduce((one, other) -> one + ", " + other)
        .map(powers -> "Time grows with the members to the power of: " + powers + ".\n")
        .orElse("");
  }

  private static String name(String who) {
    return switch (who) {
      case "close" -> "closing";
      case "floor" -> "floor";
      default -> "the usual way";
    };
  }

  /** The table of steps, with their shares. */
  String steps() {
    var headings = new ArrayList<String>(List.of("step"));
    measured.sizes().forEach(members -> headings.add(Units.count(members)));
    var table = new Table(headings.toArray(String[]::new));
    for (String step : STEPS) {
      var cells = new ArrayList<String>(List.of(step));
      for (long members : measured.sizes()) {
        cells.add(step(members, step));
      }
      table.row(cells);
    }
    return table.toString();
  }

  private String step(long members, String step) {
    double all = measured.of(members, SECONDS).orElse(1);
    return cell(
        members,
        step + "_seconds",
        seconds -> "%s, %s".formatted(Units.seconds(seconds), Units.percent(seconds / all)));
  }
}
