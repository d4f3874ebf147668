package palmares.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;
import palmares.board.Board;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes final lines for other programs, one after the other, however many there are. */
public abstract class LineWriter implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private LineWriter() {}

  /**
   * RFC 4180 but for the line's end, which is a bare line feed; times are ISO 8601 in UTC.
   *
   * @param rules of the board: with a second key, there is a column for it; if it is adopted, one
   *     for why the order among equals is not known
   */
  public static LineWriter csv(Appendable out, Board rules) {
    var columns = new Columns(rules);
    try {
      return new Csv(
          CSVFormat.RFC4180
              .builder()
              .setRecordSeparator('\n')
              .setHeader(columns.names().toArray(String[]::new))
              .get()
              .print(out),
          columns);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One array of objects with the fields that the CSV has as columns. */
  public static LineWriter json(Appendable out, Board rules) {
    return new Json(out, new Columns(rules));
  }

  /** What there is to tell of a board's lines. */
  private record Columns(boolean keyed, boolean adopted) {
    Columns(Board rules) {
      this(rules.scale().thenBy() != null, rules.adoption() != null);
    }

    List<String> names() {
      return Stream.of(
              "period",
              "rank",
              "member",
              "points",
              keyed ? "then_by" : "",
              "reached_at",
              "credits",
              adopted ? "loss" : "")
          .filter(name -> !name.isEmpty())
          .toList();
    }
  }

  /** Adds a line. */
  public final void write(FinalLine line) {
    try {
      append(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes what must stand at the end; leaves the output open. */
  @Override
  public final void close() {
    try {
      finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  abstract void append(FinalLine line) throws IOException;

  abstract void finish() throws IOException;

  private static final class Csv extends LineWriter {
    private final CSVPrinter printer;
    private final Columns columns;

    Csv(CSVPrinter printer, Columns columns) {
      this.printer = printer;
      this.columns = columns;
    }

    @Override
    void append(FinalLine line) throws IOException {
      var values =
          new ArrayList<@Nullable Object>(
              List.of(line.period(), line.rank(), line.member(), line.points()));
      if (columns.keyed()) {
        values.add(line.thenBy());
      }
      values.add(line.reachedAt());
      values.add(line.credits());
      if (columns.adopted()) {
        values.add(line.loss());
      }
      printer.printRecord(values);
    }

    @Override
    void finish() throws IOException {
      printer.flush();
    }
  }

  private static final class Json extends LineWriter {
    private final Appendable out;
    private final Columns columns;
    private String before = "[\n";

    Json(Appendable out, Columns columns) {
      this.out = Objects.requireNonNull(out);
      this.columns = columns;
    }

    @Override
    void append(FinalLine line) throws IOException {
      ObjectNode object =
          JSON.createObjectNode()
              .put("period", line.period())
              .put("rank", line.rank())
              .put("member", line.member())
              .put("points", line.points());
      if (columns.keyed()) {
        object.put("then_by", line.thenBy());
      }
      object
          .put("reached_at", line.reachedAt() == null ? null : line.reachedAt().toString())
          .put("credits", line.credits());
      if (columns.adopted()) {
        object.put("loss", line.loss());
      }
      out.append(before).append(object.toString());
      before = ",\n";
    }

    @Override
    void finish() throws IOException {
      out.append(before.equals("[\n") ? "[]\n" : "\n]\n");
    }
  }
}
