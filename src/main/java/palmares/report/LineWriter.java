package palmares.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import palmares.board.Board;
import tools.jackson.databind.json.JsonMapper;

/** Writes final lines for other programs, one after the other, however many there are. */
public abstract class LineWriter implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private LineWriter() {}

  /**
   * RFC 4180 but for the line's end, which is a bare line feed; times are ISO 8601 in UTC.
   *
   * @param rules of the periods, which say what columns there are
   * @param otherPrizes whether anything is awarded in other currencies than credits
   */
  public static LineWriter csv(Appendable out, Collection<Board> rules, boolean otherPrizes) {
    var columns = LineColumns.of(rules, otherPrizes);
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
  public static LineWriter json(Appendable out, Collection<Board> rules, boolean otherPrizes) {
    return new Json(out, LineColumns.of(rules, otherPrizes));
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
    private final LineColumns columns;

    Csv(CSVPrinter printer, LineColumns columns) {
      this.printer = printer;
      this.columns = columns;
    }

    @Override
    void append(FinalLine line) throws IOException {
      printer.printRecord(columns.of(line).values());
    }

    @Override
    void finish() throws IOException {
      printer.flush();
    }
  }

  private static final class Json extends LineWriter {
    private final Appendable out;
    private final LineColumns columns;
    private String before = "[\n";

    Json(Appendable out, LineColumns columns) {
      this.out = Objects.requireNonNull(out);
      this.columns = columns;
    }

    @Override
    void append(FinalLine line) throws IOException {
      out.append(before).append(JSON.writeValueAsString(columns.of(line)));
      before = ",\n";
    }

    @Override
    void finish() throws IOException {
      out.append(before.equals("[\n") ? "[]\n" : "\n]\n");
    }
  }
}
