package palmares.platform.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import com.github.freva.asciitable.Styler;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import palmares.platform.output.Spreadsheet.Heading;
import palmares.platform.text.Choice;
import palmares.platform.text.DisplayFormat;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Money;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import tools.jackson.databind.json.JsonMapper;

/** The columns of one kind of row. Writes rows as a table for people, as CSV, JSON or XLSX. */
public final class OutputTable<T> {
  private static final JsonMapper JSON = JsonMapper.shared();

  private static final int MAX_WRAPPED_WIDTH = 60;

  /** A blank on each side of a cell. */
  private static final int PADDING = 2;

  /** How the names of columns begin that have the award by a rule. */
  public static final String AWARD = "award:";

  /** The text of a null that means all, such as all boards. */
  public static final String ALL = "(all)";

  /** A table is laid out in memory, so that one has no more rows. */
  public static final int MAX_ROWS_IN_TABLE = 10_000;

  private final List<NamedColumn<T>> columns = new ArrayList<>();

  private final List<String> totalsBy = new ArrayList<>();

  private enum Kind {
    TEXT,
    /** Texts of ours, which may have several lines. */
    LINES,
    WRAPPED,
    /** A number that names something. */
    IDENTIFIER,
    NUMBER,
    /** A number whose values have a sum. */
    SUMMED,
    TIME;

    static Kind of(RecordComponent component) {
      Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(component.getType());
      if (type == Instant.class) {
        return TIME;
      }
      if (Number.class.isAssignableFrom(type)) {
        return component.isAnnotationPresent(Identifier.class)
            ? IDENTIFIER
            : component.isAnnotationPresent(Summed.class) ? SUMMED : NUMBER;
      }
      return component.isAnnotationPresent(Wrapped.class) || Sentence.class.isAssignableFrom(type)
          ? WRAPPED
          : TEXT;
    }

    HorizontalAlign align() {
      return this == IDENTIFIER || this == NUMBER || this == SUMMED
          ? HorizontalAlign.RIGHT
          : HorizontalAlign.LEFT;
    }
  }

  /**
   * @param data the value in JSON
   */
  private record NamedColumn<T>(
      String name, Kind kind, Function<T, ?> value, Function<T, ?> data) {}

  public interface Rows<T> {
    void each(Consumer<T> row);
  }

  /**
   * The components of a record as columns, in their order. A component that JSON leaves out is no
   * column, and one that JSON unwraps has its own components as columns.
   */
  public static <T extends Record> OutputTable<T> of(Class<T> type) {
    var table = new OutputTable<T>();
    table.addComponents(type, Function.identity());
    return table;
  }

  /** Replaces the text of a column, which stays data in JSON; it is as {@link #wrapped}. */
  public OutputTable<T> shown(String name, Function<T, @Nullable String> text) {
    return replaced(name, Kind.WRAPPED, text);
  }

  /** Replaces the text of a column, which stays data in JSON, by lines of ours. */
  public OutputTable<T> lines(String name, Function<T, @Nullable String> text) {
    return replaced(name, Kind.LINES, text);
  }

  private OutputTable<T> replaced(String name, Kind kind, Function<T, @Nullable String> text) {
    columns.replaceAll(
        column ->
            column.name().equals(name)
                ? new NamedColumn<>(name, kind, text, column.data())
                : column);
    return this;
  }

  private void addComponents(Class<?> type, Function<T, ?> owner) {
    for (RecordComponent component : type.getRecordComponents()) {
      Method accessor = component.getAccessor();
      ReflectionUtils.makeAccessible(accessor);
      Function<T, @Nullable Object> value =
          row -> {
            Object owning = owner.apply(row);
            return owning == null ? null : ReflectionUtils.invokeMethod(accessor, owning);
          };
      if (accessor.isAnnotationPresent(JsonUnwrapped.class)) {
        addComponents(component.getType(), value);
      } else if (!accessor.isAnnotationPresent(JsonIgnore.class)) {
        columns.add(
            new NamedColumn<>(
                component.getName(),
                Kind.of(component),
                row -> text(value.apply(row)),
                row -> data(value.apply(row))));
      }
    }
  }

  private static @Nullable Object data(@Nullable Object value) {
    if (value instanceof Collection<?> all) {
      return all.stream().map(OutputTable::data).toList();
    }
    if (value instanceof Choice choice) {
      return choice.word();
    }
    boolean isObject = value instanceof Sentence || value instanceof Next || value instanceof Money;
    return value instanceof Record && !isObject ? value.toString() : value;
  }

  private static @Nullable Object text(@Nullable Object value) {
    if (value instanceof Sentence said) {
      return Texts.here().of(said);
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(each -> String.valueOf(text(each))).collect(Collectors.joining(", "));
    }
    return value instanceof Money ? value.toString() : data(value);
  }

  /** Adds a left-aligned column, whose texts stay on one line in a table. */
  public OutputTable<T> text(String name, Function<T, @Nullable Object> value) {
    return add(name, Kind.TEXT, value);
  }

  /** Adds a left-aligned column, whose long texts are broken into lines in a table. */
  public OutputTable<T> wrapped(String name, Function<T, @Nullable Object> value) {
    return add(name, Kind.WRAPPED, value);
  }

  /** Adds a column of sentences. */
  public OutputTable<T> said(String name, Function<T, ? extends @Nullable Sentence> said) {
    return said(
        name,
        said::apply,
        row -> {
          Sentence sentence = said.apply(row);
          return sentence == null ? null : Texts.here().of(sentence);
        });
  }

  /** Adds a column that is data in JSON, and a text in other formats, as {@link #wrapped}. */
  public OutputTable<T> said(
      String name, Function<T, @Nullable Object> data, Function<T, @Nullable String> text) {
    columns.add(new NamedColumn<>(name, Kind.WRAPPED, text, data));
    return this;
  }

  public OutputTable<T> time(String name, Function<T, @Nullable Instant> value) {
    return add(name, Kind.TIME, value);
  }

  /** Adds a right-aligned column. */
  public OutputTable<T> number(String name, Function<T, @Nullable Object> value) {
    return add(name, Kind.NUMBER, value);
  }

  /** Adds a right-aligned column of whole numbers, which has totals in a spreadsheet. */
  public OutputTable<T> summed(String name, Function<T, ? extends @Nullable Number> value) {
    return add(name, Kind.SUMMED, value);
  }

  /**
   * Keeps totals for each combination of the values of these columns, such as each currency,
   * because values of different ones cannot be added.
   */
  public OutputTable<T> totalsBy(String... columns) {
    totalsBy.addAll(List.of(columns));
    return this;
  }

  private OutputTable<T> add(String name, Kind kind, Function<T, ?> value) {
    columns.add(new NamedColumn<>(name, kind, value, value));
    return this;
  }

  /**
   * Writes all rows in UTF-8. A table is built in memory, and its last line says how many rows
   * above {@link #MAX_ROWS_IN_TABLE} are left out; the other formats have all and hold few at a
   * time. CSV is RFC 4180 with a bare line feed at the end of a line. In CSV, a text that a
   * spreadsheet would run as a formula, or that begins with an apostrophe, gets an apostrophe in
   * front, unless the output is raw.
   *
   * @param raw whether CSV has all texts unchanged
   * @param out stays open
   * @param ifEmpty what a table without rows says
   */
  public void write(
      OutputFormat format, boolean raw, OutputStream out, String ifEmpty, Rows<T> rows)
      throws IOException {
    try {
      if (format == OutputFormat.XLSX) {
        spreadsheet(out, rows);
        return;
      }
      Writer text = new BufferedWriter(new OutputStreamWriter(out, UTF_8));
      switch (format) {
        case TABLE -> text.write(bounded(rows, ifEmpty) + "\n");
        case CSV -> csv(text, raw, rows);
        default -> json(text, rows);
      }
      text.flush();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private String bounded(Rows<T> rows, String ifEmpty) {
    var shown = new ArrayList<T>();
    long[] more = {0};
    rows.each(
        row -> {
          if (shown.size() < MAX_ROWS_IN_TABLE) {
            shown.add(row);
          } else {
            more[0]++;
          }
        });
    if (shown.isEmpty()) {
      return ifEmpty;
    }
    return more[0] == 0
        ? table(shown)
        : table(shown) + "\n" + Texts.here().of(new ListSentences.MoreRows(more[0]));
  }

  /** The rows as a table for people, without a line feed at the end. */
  public String table(List<T> rows) {
    var headers = new ArrayList<ColumnData<T>>();
    for (NamedColumn<T> column : columns) {
      int width = rows.stream().mapToInt(row -> width(cell(column, row))).max().orElse(0);
      headers.add(
          new Column()
              .header(heading(Texts.here(), column.name()))
              .headerAlign(column.kind().align())
              .dataAlign(column.kind().align())
              .minWidth(width + PADDING)
              .maxWidth(Integer.MAX_VALUE)
              .with(row -> cell(column, row)));
    }
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .styler(new ByDisplayWidth())
        .data(rows, headers)
        .asString();
  }

  /** The name of a column as people read it; one without a text is split into its words. */
  public static String heading(Texts texts, String name) {
    if (name.startsWith(AWARD)) {
      return texts.of(new ListSentences.AwardOf(name.substring(AWARD.length())));
    }
    String heading = texts.knownWord("column", name);
    return heading == null
        ? name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT)
        : heading;
  }

  private static int width(String lines) {
    return lines.lines().mapToInt(DisplayWidth::of).max().orElse(0);
  }

  /** Corrects the padding of cells: the library takes each {@code char} for one column. */
  private static final class ByDisplayWidth implements Styler {
    @Override
    public List<String> styleCell(Column column, int row, int col, List<String> lines) {
      return lines.stream().map(line -> padded(line, column.getDataAlign())).toList();
    }

    private static String padded(String line, HorizontalAlign align) {
      int missing = line.length() - DisplayWidth.of(line);
      if (missing == 0) {
        return line;
      }
      String text = line.strip();
      String blanks = " ".repeat(line.length() - PADDING - DisplayWidth.of(text));
      return align == HorizontalAlign.RIGHT ? " " + blanks + text + " " : " " + text + blanks + " ";
    }
  }

  private static <T> String cell(NamedColumn<T> column, T row) {
    Object value = column.value().apply(row);
    return switch (column.kind()) {
      case LINES -> value == null ? "" : TerminalText.lines(value.toString());
      case IDENTIFIER -> value == null ? "" : value.toString();
      case WRAPPED -> DisplayWidth.wrapped(cell(value), MAX_WRAPPED_WIDTH - PADDING);
      default -> cell(value);
    };
  }

  private static String cell(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof Instant time) {
      return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
    if (value instanceof Duration duration) {
      return DisplayFormat.duration(duration);
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
                  for (NamedColumn<T> column : columns) {
                    Object value = column.value().apply(row);
                    printer.print(raw ? value : withoutFormula(value));
                  }
                  printer.println();
                }));
  }

  private static @Nullable Object withoutFormula(@Nullable Object value) {
    return value == null || value instanceof Number || value instanceof Boolean
        ? value
        : CsvText.written(value.toString());
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

  /**
   * A row for readers in this process: texts, numbers, true or false, durations, sentences, money,
   * or null; also lists and maps of these. All else is as JSON has it.
   */
  public Map<String, @Nullable Object> asData(T row) {
    var data = new LinkedHashMap<String, @Nullable Object>();
    columns.forEach(column -> data.put(column.name(), plain(column.data().apply(row))));
    return data;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value == null
        || value instanceof String
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Duration
        || value instanceof Sentence
        || value instanceof Money) {
      return value;
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(OutputTable::plain).toList();
    }
    return value instanceof Instant ? value.toString() : JSON.convertValue(value, Object.class);
  }

  private LinkedHashMap<String, @Nullable Object> values(T row) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (NamedColumn<T> column : columns) {
      Object value = column.data().apply(row);
      values.put(
          column.name(),
          value instanceof Instant || value instanceof Duration ? value.toString() : value);
    }
    return values;
  }

  private void spreadsheet(OutputStream out, Rows<T> rows) throws IOException {
    var headings =
        columns.stream()
            .map(column -> new Heading(column.name(), column.kind() == Kind.TIME))
            .toList();
    try (var sheet = new Spreadsheet(out, headings, Spreadsheet.MAX_ROWS_IN_SHEET)) {
      var totals = new Totals();
      rows.each(
          row ->
              unchecked(
                  () -> {
                    var values = new ArrayList<@Nullable Object>();
                    columns.forEach(column -> values.add(column.value().apply(row)));
                    sheet.add(values, false);
                    totals.add(values);
                  }));
      for (List<@Nullable Object> total : totals.rows()) {
        sheet.add(total, true);
      }
    }
  }

  /** Adds up the columns that have a sum, for each key. */
  private final class Totals {
    /** By rows with nothing but the key; each has a sum for each index of a column. */
    private final Map<List<@Nullable Object>, Map<Integer, BigDecimal>> sums =
        new LinkedHashMap<>();

    void add(List<@Nullable Object> values) {
      var key = new ArrayList<@Nullable Object>(values);
      for (int i = 0; i < values.size(); i++) {
        if (!totalsBy.contains(columns.get(i).name())) {
          key.set(i, null);
        }
      }
      for (int i = 0; i < values.size(); i++) {
        if (columns.get(i).kind() == Kind.SUMMED) {
          Object value = values.get(i);
          sums.computeIfAbsent(key, first -> new TreeMap<>())
              .merge(
                  i,
                  value == null ? BigDecimal.ZERO : new BigDecimal(value.toString()),
                  BigDecimal::add);
        }
      }
    }

    List<List<@Nullable Object>> rows() {
      var rows = new ArrayList<List<@Nullable Object>>();
      sums.forEach(
          (key, sum) -> {
            var row = new ArrayList<>(key);
            row.set(0, "total");
            sum.forEach(row::set);
            rows.add(row);
          });
      return rows;
    }
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
