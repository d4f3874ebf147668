package palmares.platform.output;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
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
import tools.jackson.databind.json.JsonMapper;

/** The columns of one kind of row. Writes rows as a table for people, as CSV or as JSON. */
public final class OutputTable<T> {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String FORMULA_STARTS = "=+-@\t\r\n";
  private static final int MAX_WRAPPED_WIDTH = 60;

  private final List<NamedColumn<T>> columns = new ArrayList<>();

  private record NamedColumn<T>(
      String name, HorizontalAlign align, int maxWidth, Function<T, @Nullable Object> value) {}

  /** A source of rows. */
  public interface Rows<T> {
    /** Passes each row to the consumer, in order. */
    void each(Consumer<T> row);
  }

  /** Adds a left-aligned column, whose texts stay on one line in a table. */
  public OutputTable<T> text(String name, Function<T, @Nullable Object> value) {
    return add(name, HorizontalAlign.LEFT, Integer.MAX_VALUE, value);
  }

  /** Adds a left-aligned column, whose long texts are broken into lines in a table. */
  public OutputTable<T> wrapped(String name, Function<T, @Nullable Object> value) {
    return add(name, HorizontalAlign.LEFT, MAX_WRAPPED_WIDTH, value);
  }

  /** Adds a right-aligned column. */
  public OutputTable<T> number(String name, Function<T, @Nullable Object> value) {
    return add(name, HorizontalAlign.RIGHT, Integer.MAX_VALUE, value);
  }

  private OutputTable<T> add(
      String name, HorizontalAlign align, int maxWidth, Function<T, @Nullable Object> value) {
    columns.add(new NamedColumn<>(name, align, maxWidth, value));
    return this;
  }

  /**
   * Writes all rows. A table is built in memory; the other formats hold one row at a time. CSV is
   * RFC 4180 with a bare line feed at the end of a line. In CSV, a text that a spreadsheet would
   * run as a formula gets an apostrophe in front, unless the output is raw.
   *
   * @param raw whether CSV has all texts unchanged
   * @param ifEmpty what a table without rows says
   */
  public void write(OutputFormat format, boolean raw, Writer out, String ifEmpty, Rows<T> rows)
      throws IOException {
    try {
      switch (format) {
        case TABLE -> {
          var all = new ArrayList<T>();
          rows.each(all::add);
          out.write((all.isEmpty() ? ifEmpty : table(all)) + "\n");
        }
        case CSV -> csv(out, raw, rows);
        case JSON -> json(out, rows);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The rows as a table for people, without a line feed at the end. */
  public String table(List<T> rows) {
    var headers = new ArrayList<ColumnData<T>>();
    for (NamedColumn<T> column : columns) {
      headers.add(
          new Column()
              .header(column.name().replace('_', ' '))
              .headerAlign(column.align())
              .dataAlign(column.align())
              .maxWidth(column.maxWidth())
              .with(row -> cell(column.value().apply(row))));
    }
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(rows, headers)
        .asString();
  }

  private static String cell(@Nullable Object value) {
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
            .setHeader(columns.stream().map(NamedColumn::name).toArray(String[]::new))
            .get()
            .print(out);
    rows.each(
        row ->
            unchecked(
                () -> {
                  for (Object value : values(row).values()) {
                    printer.print(raw ? value : withoutFormula(value));
                  }
                  printer.println();
                }));
    printer.flush();
  }

  /** The value made safe for spreadsheets, as OWASP recommends under "CSV Injection". */
  private static @Nullable Object withoutFormula(@Nullable Object value) {
    return value instanceof String text
            && !text.isEmpty()
            && FORMULA_STARTS.indexOf(text.charAt(0)) >= 0
        ? "'" + text
        : value;
  }

  private void json(Writer out, Rows<T> rows) throws IOException {
    String[] separator = {"[\n"};
    rows.each(
        row ->
            unchecked(
                () -> {
                  out.append(separator[0]).append(JSON.writeValueAsString(values(row)));
                  separator[0] = ",\n";
                }));
    out.append(separator[0].equals("[\n") ? "[]\n" : "\n]\n");
  }

  private LinkedHashMap<String, @Nullable Object> values(T row) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (NamedColumn<T> column : columns) {
      Object value = column.value().apply(row);
      values.put(column.name(), value instanceof Instant time ? time.toString() : value);
    }
    return values;
  }

  private interface WriteAction {
    void run() throws IOException;
  }

  private static void unchecked(WriteAction action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
