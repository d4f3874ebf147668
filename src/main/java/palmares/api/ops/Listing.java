package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;

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
   * @param notes sentences about the result, such as sums
   * @param next the cursor of the next page; null if there is none
   */
  record Body(Content content, Status status, List<String> notes, @Nullable String next) {
    public Body {
      notes = List.copyOf(notes);
    }

    Body(Content content) {
      this(content, Status.OK, List.of(), null);
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
   * @param ifEmpty what a table without rows says
   */
  static <T> Listing of(OutputTable<T> columns, String ifEmpty, List<T> rows) {
    return streamed(columns, ifEmpty, rows::forEach);
  }

  /** As {@link #of}, for rows that are read while they are written. */
  static <T> Listing streamed(OutputTable<T> columns, String ifEmpty, OutputTable.Rows<T> rows) {
    return format -> new Body((out, raw) -> columns.write(format, raw, out, ifEmpty, rows));
  }

  /** A text that is the same in every format. */
  static Listing text(String text) {
    return format -> Body.text(out -> out.write(text));
  }

  /** The same result with another status. */
  default Listing with(Status status) {
    return format -> {
      Body body = in(format);
      return new Body(body.content(), status, body.notes(), body.next());
    };
  }

  /** The same result with notes. */
  default Listing with(List<String> notes) {
    return format -> {
      Body body = in(format);
      return new Body(body.content(), body.status(), notes, body.next());
    };
  }
}
