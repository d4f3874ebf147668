package palmares.cli.output;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;
import palmares.cli.terminal.TerminalText;
import tools.jackson.databind.json.JsonMapper;

/** Columns of one kind of rows, written as a table for people, as CSV or as JSON. */
public final class OutputTable<T> {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String FORMULA_STARTS = "=+-@\t\r\n";

  private final List<Named<T>> columns = new ArrayList<>();

  private record Named<T>(String name, boolean number, Function<T, @Nullable Object> value) {}

  /** Hands over rows, one after the other. */
  public interface Rows<T> {
    void each(Consumer<T> row);
  }

  public OutputTable<T> text(String name, Function<T, @Nullable Object> value) {
    columns.add(new Named<>(name, false, value));
    return this;
  }

  /** Right-aligned in a table. */
  public OutputTable<T> number(String name, Function<T, @Nullable Object> value) {
    columns.add(new Named<>(name, true, value));
    return this;
  }

  /**
   * Writes all rows. A table is put together in memory; the other formats hold one row at a time.
   * CSV is RFC 4180, with a bare line feed at the end of a line. In CSV, a text that a spreadsheet
   * would run as a formula is written behind an apostrophe, unless the output is raw.
   *
   * @param none what a table without rows says
   */
  public void write(Output output, Writer out, String none, Rows<T> rows) throws IOException {
    try {
      switch (output.format()) {
        case TABLE -> table(out, none, rows);
        case CSV -> csv(out, output.raw(), rows);
        case JSON -> json(out, rows);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void table(Writer out, String none, Rows<T> rows) throws IOException {
    var lines = new ArrayList<List<String>>();
    rows.each(row -> lines.add(columns.stream().map(column -> shown(column, row)).toList()));
    var headers = new ArrayList<com.github.freva.asciitable.ColumnData<List<String>>>();
    for (int i = 0; i < columns.size(); i++) {
      int at = i;
      var align = columns.get(i).number() ? HorizontalAlign.RIGHT : HorizontalAlign.LEFT;
      headers.add(
          new Column()
              .header(columns.get(i).name().replace('_', ' '))
              .headerAlign(align)
              .dataAlign(align)
              .maxWidth(Integer.MAX_VALUE)
              .with(line -> line.get(at)));
    }
    out.write(
        lines.isEmpty()
            ? none + "\n"
            : AsciiTable.builder()
                    .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
                    .data(lines, headers)
                    .asString()
                + "\n");
  }

  private static <T> String shown(Named<T> column, T row) {
    Object value = column.value().apply(row);
    if (value == null) {
      return "";
    }
    if (value instanceof Instant time) {
      return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
    return value instanceof Number number
        ? DisplayFormat.number(new BigDecimal(number.toString()))
        : TerminalText.of(String.valueOf(value));
  }

  private void csv(Writer out, boolean raw, Rows<T> rows) throws IOException {
    CSVPrinter printer =
        CSVFormat.RFC4180
            .builder()
            .setRecordSeparator('\n')
            .setHeader(columns.stream().map(Named::name).toArray(String[]::new))
            .get()
            .print(out);
    rows.each(
        row ->
            unchecked(
                () -> {
                  for (Object value : values(row).values()) {
                    printer.print(raw ? value : neutral(value));
                  }
                  printer.println();
                }));
    printer.flush();
  }

  /** Spreadsheets run a text that begins so: OWASP, "CSV Injection". */
  private static @Nullable Object neutral(@Nullable Object value) {
    return value instanceof String text
            && !text.isEmpty()
            && FORMULA_STARTS.indexOf(text.charAt(0)) >= 0
        ? "'" + text
        : value;
  }

  private void json(Writer out, Rows<T> rows) throws IOException {
    String[] before = {"[\n"};
    rows.each(
        row ->
            unchecked(
                () -> {
                  out.append(before[0]).append(JSON.writeValueAsString(values(row)));
                  before[0] = ",\n";
                }));
    out.append(before[0].equals("[\n") ? "[]\n" : "\n]\n");
  }

  private LinkedHashMap<String, @Nullable Object> values(T row) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (Named<T> column : columns) {
      Object value = column.value().apply(row);
      values.put(column.name(), value instanceof Instant time ? time.toString() : value);
    }
    return values;
  }

  private interface Writing {
    void run() throws IOException;
  }

  private static void unchecked(Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
