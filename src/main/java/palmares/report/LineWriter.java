package palmares.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import palmares.board.Scale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes final lines for other programs, one after the other, however many there are. */
public abstract class LineWriter implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private LineWriter() {}

  /**
   * RFC 4180 but for the line's end, which is a bare line feed; times are ISO 8601 in UTC.
   *
   * @param scale of the board: with a second key, there is a column for it
   */
  public static LineWriter csv(Appendable out, Scale scale) {
    boolean keyed = scale.thenBy() != null;
    try {
      return new Csv(
          CSVFormat.RFC4180
              .builder()
              .setRecordSeparator('\n')
              .setHeader(
                  keyed
                      ? new String[] {
                        "period", "rank", "member", "points", "then_by", "reached_at", "credits"
                      }
                      : new String[] {
                        "period", "rank", "member", "points", "reached_at", "credits"
                      })
              .get()
              .print(out),
          keyed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One array of objects with the fields that the CSV has as columns. */
  public static LineWriter json(Appendable out, Scale scale) {
    return new Json(out, scale.thenBy() != null);
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
    private final boolean keyed;

    Csv(CSVPrinter printer, boolean keyed) {
      this.printer = printer;
      this.keyed = keyed;
    }

    @Override
    void append(FinalLine line) throws IOException {
      var values =
          new ArrayList<Object>(List.of(line.period(), line.rank(), line.member(), line.points()));
      if (keyed) {
        values.add(line.thenBy());
      }
      values.add(line.reachedAt());
      values.add(line.credits());
      printer.printRecord(values);
    }

    @Override
    void finish() throws IOException {
      printer.flush();
    }
  }

  private static final class Json extends LineWriter {
    private final Appendable out;
    private final boolean keyed;
    private String before = "[\n";

    Json(Appendable out, boolean keyed) {
      this.out = Objects.requireNonNull(out);
      this.keyed = keyed;
    }

    @Override
    void append(FinalLine line) throws IOException {
      ObjectNode object =
          JSON.createObjectNode()
              .put("period", line.period())
              .put("rank", line.rank())
              .put("member", line.member())
              .put("points", line.points());
      if (keyed) {
        object.put("then_by", line.thenBy());
      }
      object.put("reached_at", line.reachedAt().toString()).put("credits", line.credits());
      out.append(before).append(object.toString());
      before = ",\n";
    }

    @Override
    void finish() throws IOException {
      out.append(before.equals("[\n") ? "[]\n" : "\n]\n");
    }
  }
}
