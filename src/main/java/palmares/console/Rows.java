package palmares.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.Listing;
import palmares.platform.output.OutputFormat;
import palmares.platform.text.Sentence;

/**
 * The rows of a listing as a page shows them, by the columns that all formats share.
 *
 * @param columns the names of the columns, in order
 * @param rows the values by column: texts, numbers, true or false, durations, lists, sentences, or
 *     null
 * @param notes what is said about the result, such as sums
 * @param next the cursor of the next page; null if there is none
 */
record Rows(
    List<String> columns,
    List<Map<String, @Nullable Object>> rows,
    Listing.Status status,
    List<Sentence> notes,
    @Nullable String next) {
  /** No rows. */
  static final Rows NONE = new Rows(List.of(), List.of(), Listing.Status.OK, List.of(), null);

  /** Reads a listing, which must be small enough for a page. */
  static Rows of(Listing listing) {
    Listing.Body body = listing.in(OutputFormat.JSON);
    List<Map<String, @Nullable Object>> rows = body.content().data();
    var columns = new LinkedHashSet<String>();
    rows.forEach(row -> columns.addAll(row.keySet()));
    return new Rows(List.copyOf(columns), rows, body.status(), body.notes(), body.next());
  }

  /** Reads all pages of a list, which together must be small enough for a page. */
  static Rows all(Function<@Nullable String, Listing> pages) {
    return of(Listing.followed(pages, null));
  }

  /** The object of a listing that is no list of rows. */
  static <T> T object(Listing listing, Class<T> type) {
    return type.cast(((Listing.ObjectContent) listing.in(OutputFormat.JSON).content()).value());
  }

  /** The text of a listing that is a text, or the table as the command line shows it. */
  static String text(Listing listing) {
    var text = new ByteArrayOutputStream();
    try {
      listing.in(OutputFormat.TABLE).content().write(text, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString(UTF_8).stripTrailing();
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  public int size() {
    return rows.size();
  }

  /** The first row. */
  public Map<String, @Nullable Object> first() {
    return rows.get(0);
  }

  /** Whether the first value in a column is a number or a duration, so that all of them are. */
  public boolean isNumeric(String column) {
    for (Map<String, @Nullable Object> row : rows) {
      Object value = row.get(column);
      if (value != null) {
        return value instanceof Number || value instanceof Duration;
      }
    }
    return false;
  }

  /** The same rows with these columns only, as far as there are such. */
  public Rows only(String... names) {
    Set<String> known = Set.copyOf(columns);
    return with(List.of(names).stream().filter(known::contains).toList());
  }

  /** The same rows without these columns. */
  public Rows without(String... names) {
    Set<String> hidden = Set.of(names);
    return with(columns.stream().filter(name -> !hidden.contains(name)).toList());
  }

  /** The same rows without the columns that have no value in any of them. */
  public Rows withoutEmpty() {
    return withoutEmpty(columns.toArray(String[]::new));
  }

  /** Leaves those of some columns out that are empty in all rows. */
  public Rows withoutEmpty(String... some) {
    List<String> leftOut = List.of(some);
    return with(
        columns.stream()
            .filter(
                name ->
                    !leftOut.contains(name)
                        || rows.stream().anyMatch(row -> !isEmpty(row.get(name))))
            .toList());
  }

  private static boolean isEmpty(@Nullable Object value) {
    return value == null || value.equals("");
  }

  /** The same rows with another name for a column, for a page that calls it so. */
  public Rows renamed(String name, String other) {
    rows.forEach(
        row -> {
          if (row.containsKey(name)) {
            row.put(other, row.get(name));
          }
        });
    return with(columns.stream().map(column -> column.equals(name) ? other : column).toList());
  }

  /** The same rows without notes, for a page that shows them elsewhere. */
  public Rows withoutNotes() {
    return new Rows(columns, rows, status, List.of(), next);
  }

  private Rows with(List<String> shown) {
    return new Rows(shown, rows, status, notes, next);
  }

  /** The first rows. */
  public Rows first(int count) {
    return new Rows(columns, rows.subList(0, Math.min(count, rows.size())), status, notes, next);
  }

  /** The rows with a value in a column. */
  public Rows where(String column, Object value) {
    return where(row -> value.equals(row.get(column)));
  }

  /** The rows that match. */
  Rows where(Predicate<Map<String, @Nullable Object>> matches) {
    return new Rows(columns, rows.stream().filter(matches).toList(), status, notes, next);
  }

  /** The rows in opposite order. */
  Rows reversed() {
    var all = new ArrayList<>(rows);
    Collections.reverse(all);
    return new Rows(columns, all, status, notes, next);
  }

  /** The values of a listing with the columns {@code field} and {@code value}. */
  Map<String, String> fields() {
    return rows.stream()
        .collect(
            Collectors.toMap(
                row -> String.valueOf(row.get("field")),
                row -> String.valueOf(row.get("value")),
                (first, second) -> first + "\n" + second,
                LinkedHashMap::new));
  }
}
