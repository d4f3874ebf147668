package palmares.bench.page;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Writes the page's section about the console. */
final class ConsoleSection {
  private static final List<String[]> KINDS =
      List.of(
          new String[] {"first", "a period's first page, with its charts"},
          new String[] {"search", "the page around a member"},
          new String[] {"jump", "the page from a rank"},
          new String[] {"api", "50 lines by the API, for comparison"});

  private final Measurements measured;

  ConsoleSection(Measurements measured) {
    this.measured = measured;
  }

  String text() {
    if (measured.find("console_first_ms").isEmpty()) {
      return "The console was not measured.\n";
    }
    var table = new Table("of a settled period" + size(), "median, ms");
    for (String[] kind : KINDS) {
      OptionalDouble millis = measured.find("console_" + kind[0] + "_ms");
      table.row(kind[1], Units.maybe(millis, Units::number));
    }
    for (String format : List.of("csv", "xlsx")) {
      measured
          .find("console_" + format + "_s")
          .ifPresent(
              seconds ->
                  table.row(
                      "all lines as %s, one download".formatted(format.toUpperCase(Locale.ROOT)),
                      Units.number(1e3 * seconds)));
    }
    return table
        + """

        The server's whole answer, one request at a time. The period pays in three currencies, which
        its pages show with each member.
        """;
  }

  /** The number of members, which the command stores with its figures. */
  private String size() {
    return measured.all().stream()
        .filter(measurement -> measurement.number("console_first_ms").isPresent())
        .flatMap(measurement -> measurement.number("members").stream().boxed())
        .reduce((earlier, later) -> later)
        .map(members -> " of %s members".formatted(Units.count(members.longValue())))
        .orElse("");
  }
}
