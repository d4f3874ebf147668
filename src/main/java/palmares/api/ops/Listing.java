package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import tools.jackson.databind.json.JsonMapper;

/** The result of a read, which is written as a table for people, as CSV, JSON or XLSX. */
@FunctionalInterface
public interface Listing {
  /** Returns the result in a format. May do all the work, so it is called once. */
  Body in(OutputFormat format);

  /** Writes a result in the format that it was prepared for. */
  @FunctionalInterface
  interface Content {
    /**
     * @param raw whether CSV has all texts unchanged
     */
    void write(OutputStream out, boolean raw) throws IOException;

    /** Whether it holds a connection to PostgreSQL while it is written. */
    default boolean holdsConnection() {
      return false;
    }

    /** The rows by their columns, for readers in this process; only a result in JSON has some. */
    default List<Map<String, @Nullable Object>> data() {
      throw new IllegalStateException("a text has no rows");
    }
  }

  /**
   * Rows of a kind.
   *
   * @param none what a table without any says
   * @param holdsConnection whether a connection to PostgreSQL reads them while they are written
   */
  record RowContent<T>(
      OutputTable<T> columns,
      OutputFormat format,
      String none,
      OutputTable.Rows<T> rows,
      boolean holdsConnection)
      implements Content {
    @Override
    public void write(OutputStream out, boolean raw) throws IOException {
      columns.write(format, raw, out, none, rows);
    }

    @Override
    public List<Map<String, @Nullable Object>> data() {
      var data = new ArrayList<Map<String, @Nullable Object>>();
      rows.each(row -> data.add(columns.asData(row)));
      return data;
    }
  }

  /** An object that is no list of rows, in JSON. */
  record ObjectContent(Object value) implements Content {
    private static final JsonMapper JSON = JsonMapper.shared();

    @Override
    public void write(OutputStream out, boolean raw) throws IOException {
      String json = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value);
      out.write((json + "\n").getBytes(UTF_8));
    }
  }

  /** Writes text. */
  @FunctionalInterface
  interface TextContent {
    void write(Writer out) throws IOException;
  }

  /**
   * A result in one format.
   *
   * @param status what a reader must know although the read succeeded
   * @param notes what is said about the result, such as sums
   * @param steps what can be done about it
   * @param next the cursor of the next page; null if there is none
   */
  record Body(
      Content content,
      Status status,
      List<Sentence> notes,
      List<Next> steps,
      @Nullable String next) {
    public Body {
      notes = List.copyOf(notes);
      steps = List.copyOf(steps);
    }

    Body(Content content, Status status, List<Sentence> notes, @Nullable String next) {
      this(content, status, notes, List.of(), next);
    }

    Body(Content content) {
      this(content, Status.OK, List.of(), null);
    }

    /** The same with other content. */
    Body with(Content other) {
      return new Body(other, status, notes, steps, next);
    }

    /** A text, in UTF-8. */
    static Body text(TextContent content) {
      return new Body(
          (out, raw) -> {
            Writer text = new BufferedWriter(new OutputStreamWriter(out, UTF_8));
            content.write(text);
            text.flush();
          });
    }

    /** An object in JSON. */
    static Body object(Object value) {
      return new Body(new ObjectContent(value));
    }

    /** The same with one more note. */
    public Body withNote(Sentence note) {
      return new Body(
          content, status, Stream.concat(notes.stream(), Stream.of(note)).toList(), steps, next);
    }
  }

  /** What a result means for the exit code of a command. */
  enum Status {
    OK,
    /** Something that the result shows has failed. */
    FAILED,
    /** A person must approve something. */
    HELD
  }

  /**
   * Lists rows.
   *
   * @param named names them in what a table without any says; empty if there always are some
   */
  static <T> Rows<T> of(OutputTable<T> columns, String named, List<T> rows) {
    return lazy(columns, named, rows::forEach);
  }

  /** As {@link #of}, for rows that a connection to PostgreSQL reads while they are written. */
  static <T> Rows<T> streamed(OutputTable<T> columns, String named, OutputTable.Rows<T> rows) {
    return format -> new Body(new RowContent<>(columns, format, none(named), rows, true));
  }

  private static <T> Rows<T> lazy(OutputTable<T> columns, String named, OutputTable.Rows<T> rows) {
    return format -> new Body(new RowContent<>(columns, format, none(named), rows, false));
  }

  /** Says that there are none, in the language that only the thread of the request knows. */
  static String none(String rows) {
    return rows.isEmpty() ? "" : Texts.here().of(new ListingSentences.Empty(rows));
  }

  /** The longest page. */
  int MAX_COUNT = 10_000;

  /** The length of a page for programs that ask for none, and of what is read at once. */
  int DEFAULT_COUNT = 1_000;

  /** Reads the rows of a list that grows. */
  @FunctionalInterface
  interface Reader<T> {
    /**
     * Returns as many rows, and less only if there are no more.
     *
     * @param after the cursor of the row before; null for the first rows
     */
    List<T> read(@Nullable PageCursor after, int most);
  }

  /**
   * Lists a page of a list that grows. Without a count, CSV and workbooks have all rows from the
   * cursor on, which are read while they are written.
   *
   * @param inTable the default length in a table
   * @param keys how many keys a cursor of the list has
   * @param cursor the cursor of what follows a row
   * @throws palmares.api.http.Refusal if the length is not from 1 to {@link #MAX_COUNT}, or the
   *     cursor is none of such a list
   */
  static <T> Rows<T> page(
      OutputTable<T> columns,
      String named,
      PageRequest page,
      int inTable,
      int keys,
      Reader<T> reader,
      Function<T, PageCursor> cursor) {
    return page(columns, named, page, inTable, keys, reader, Function.identity(), cursor);
  }

  /**
   * As above.
   *
   * @param row makes a row of what is read
   */
  static <T, R> Rows<R> page(
      OutputTable<R> columns,
      String named,
      PageRequest page,
      int inTable,
      int keys,
      Reader<T> reader,
      Function<T, R> row,
      Function<T, PageCursor> cursor) {
    Integer asked = page.count() == null ? null : limited(page.count());
    PageCursor after = PageCursor.parse(page.after(), keys);
    return format -> {
      int length = asked != null ? asked : format == OutputFormat.TABLE ? inTable : DEFAULT_COUNT;
      List<T> found = reader.read(after, length + 1);
      boolean isWhole = found.size() <= length;
      List<T> shown = isWhole ? found : found.subList(0, length);
      PageCursor next = isWhole ? null : cursor.apply(shown.get(length - 1));
      boolean isFile = format == OutputFormat.CSV || format == OutputFormat.XLSX;
      return asked == null && isFile
          ? lazy(
                  columns,
                  named,
                  rows -> all(shown, next, reader, cursor, one -> rows.accept(row.apply(one))))
              .in(format)
          : new Body(
              of(columns, named, shown.stream().map(row).toList()).in(format).content(),
              Status.OK,
              List.of(),
              next == null ? null : next.text());
    };
  }

  private static <T> void all(
      List<T> first,
      @Nullable PageCursor next,
      Reader<T> reader,
      Function<T, PageCursor> cursor,
      Consumer<T> row) {
    first.forEach(row);
    PageCursor after = next;
    while (after != null) {
      List<T> page = reader.read(after, DEFAULT_COUNT);
      page.forEach(row);
      after = page.size() < DEFAULT_COUNT ? null : cursor.apply(page.get(page.size() - 1));
    }
  }

  /** Refuses a length of a page that is not from 1 to {@link #MAX_COUNT}. */
  static int limited(int count) {
    return Lookup.within(1, MAX_COUNT, "count", count);
  }

  /**
   * The pages of a list from a cursor on: in JSON all, each read once the one before it is written;
   * in other formats the first of them.
   *
   * @param pages returns the page after a cursor, with the status and the notes of the list
   * @param after the cursor of the first page; null for the beginning
   */
  static Listing followed(Function<@Nullable String, Listing> pages, @Nullable String after) {
    return format -> {
      Body first = pages.apply(after).in(format);
      return format == OutputFormat.JSON && first.next() != null
          ? new Body(
              new JoinedPages(first, pages), first.status(), first.notes(), first.steps(), null)
          : first;
    };
  }

  /** A text that is the same in every format. */
  static Listing text(String text) {
    return format -> Body.text(out -> out.write(text));
  }

  /** The same result with another status. */
  default Listing with(Status status) {
    return format -> {
      Body body = in(format);
      return new Body(body.content(), status, body.notes(), body.steps(), body.next());
    };
  }

  /** The same result with notes. */
  default Listing noted(List<? extends Sentence> notes) {
    return format -> {
      Body body = in(format);
      return new Body(body.content(), body.status(), List.copyOf(notes), body.steps(), body.next());
    };
  }

  /** The same result with what can be done about it. */
  default Listing then(List<Next> steps) {
    return format -> {
      Body body = in(format);
      return new Body(body.content(), body.status(), body.notes(), steps, body.next());
    };
  }
}
