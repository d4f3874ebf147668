package palmares.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palmares.bench.page.Measurements.Measurement;

/** Writes the page's section about long histories. */
final class HistorySection {
  private static final Pattern LENGTH = Pattern.compile("history_close_ms_(\\d+)");

  private static final List<Row> ROWS =
      List.of(
          new Row("close_ms", "closing, ms"),
          new Row("verify_ms", "verify of one period, ms"),
          new Row("page_ms", "a page of one period, ms"),
          new Row("line_ms", "a member's line of one period, ms"),
          new Row("close_locks", "closing, locks"),
          new Row("verify_locks", "verify, locks"),
          new Row("page_locks", "a page, locks"),
          new Row("line_locks", "a member's line, locks"),
          new Row("close_rows", "closing, rows read"),
          new Row("verify_rows", "verify, rows read"),
          new Row("page_rows", "a page, rows read"),
          new Row("line_rows", "a member's line, rows read"),
          new Row("memory_mb", "memory of a new session, MB"),
          new Row("old_memory_mb", "memory of an old session, MB"),
          new Row("catalog_mb", "PostgreSQL's catalog, MB"));

  private final Measurements measured;

  HistorySection(Measurements measured) {
    this.measured = measured;
  }

  private record Row(String name, String label) {}

  String text() {
    SortedSet<Integer> lengths = lengths();
    if (lengths.isEmpty()) {
      return "No history was measured.\n";
    }
    var headings = new ArrayList<String>(List.of("periods"));
    lengths.forEach(length -> headings.add(Units.count(length)));
    var table = new Table(headings.toArray(String[]::new));
    for (Row row : ROWS) {
      var cells = new ArrayList<String>(List.of(row.label()));
      for (int length : lengths) {
        cells.add(
            Units.maybe(
                measured.find("history_%s_%s".formatted(row.name(), length)), Units::number));
      }
      table.row(cells);
    }
    return table
        + """

        Every period has its own tables, on PostgreSQL's usual limits of locks and connections. A
        reader of the first period keeps its transaction open all the time.
        """;
  }

  private SortedSet<Integer> lengths() {
    var lengths = new TreeSet<Integer>();
    for (Measurement measurement : measured.all()) {
      for (String name : measurement.values().keySet()) {
        Matcher length = LENGTH.matcher(name);
        if (length.matches()) {
          lengths.add(Integer.parseInt(length.group(1)));
        }
      }
    }
    return lengths;
  }
}
