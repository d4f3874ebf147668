package palmares.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/** Writes the page's section about closings: growth by size, and steps. */
final class ClosingSection {
  private static final List<String> STEPS = List.of("begin", "seal", "drain", "fill", "pay");
  private static final String SECONDS = "close_seconds";

  private final Measurements measured;

  ClosingSection(Measurements measured) {
    this.measured = measured;
  }

  /** The lines of the plot. */
  List<Plot.Series> series() {
    return List.of(
        new Plot.Series("closing", "#1f3a5f", measured.growth(SECONDS)),
        new Plot.Series("floor", "#4b8b5f", measured.growth("floor_seconds")),
        new Plot.Series("the usual way", "#a8453a", measured.growth("usual_seconds")));
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
