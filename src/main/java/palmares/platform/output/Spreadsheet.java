package palmares.platform.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StreamUtils;

/**
 * Writes rows into an XLSX workbook without keeping them in memory. Rows that do not fit on a sheet
 * go on the next one. Texts are never formulas.
 */
final class Spreadsheet implements Closeable {
  static final int MAX_ROWS_IN_SHEET = Worksheet.MAX_ROWS;

  private static final int ROWS_PER_FLUSH = 500;
  private static final int MAX_TEXT_LENGTH = 32_767;

  /** Spreadsheets keep 15 digits of a number; a longer one is written as text. */
  private static final BigDecimal FIRST_INEXACT = BigDecimal.TEN.pow(15);

  private static final String WHOLE_NUMBER = "#,##0";
  private static final String TIME = "yyyy-mm-dd hh:mm:ss.000";
  private static final double TIME_WIDTH = 24;

  /** The number of 1970-01-01 in a spreadsheet, which counts days. */
  private static final double EPOCH_DAY = 25_569;

  private static final double SECONDS_PER_DAY = 86_400;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * What a spreadsheet would read as an encoded character, or not keep. The underscore that ends an
   * encoded character may be that of the next one.
   */
  private static final Pattern ENCODED =
      Pattern.compile("_(?=x\\p{XDigit}{4})|[\\x00-\\x08\\x0b-\\x1f]|^\\s|\\s$");

  private final Workbook workbook;
  private final List<Heading> headings;
  private final int maxRows;
  private Worksheet sheet;
  private int sheets;
  private int row;

  /** A heading; times are in UTC, as it says. */
  record Heading(String text, boolean time) {}

  /**
   * Begins a workbook.
   *
   * @param out stays open
   * @param maxRows of a sheet, with that of the headings
   */
  Spreadsheet(OutputStream out, List<Heading> headings, int maxRows) {
    this.workbook = new Workbook(StreamUtils.nonClosing(out), "palmares", null);
    this.headings = headings;
    this.maxRows = maxRows;
    this.sheet = next();
  }

  private Worksheet next() {
    sheets++;
    Worksheet next = workbook.newWorksheet("rows " + sheets);
    next.freezePane(0, 1);
    for (int column = 0; column < headings.size(); column++) {
      Heading heading = headings.get(column);
      next.inlineString(0, column, encoded(heading.text() + (heading.time() ? " (UTC)" : "")));
      next.style(0, column).bold().set();
      if (heading.time()) {
        next.width(column, TIME_WIDTH);
      }
    }
    row = 1;
    return next;
  }

  /** Adds a row; a null is an empty cell. */
  void add(List<@Nullable Object> values, boolean bold) throws IOException {
    if (row == maxRows) {
      sheet.finish();
      sheet = next();
    }
    for (int column = 0; column < values.size(); column++) {
      Object value = values.get(column);
      if (value != null) {
        set(column, value, bold);
      }
    }
    row++;
    if (row % ROWS_PER_FLUSH == 0) {
      sheet.flush();
    }
  }

  private void set(int column, Object value, boolean bold) {
    if (value instanceof Instant time) {
      sheet.value(row, column, days(time));
      sheet.style(row, column).format(TIME).set();
    } else if (value instanceof Number number && isExact(number)) {
      sheet.value(row, column, number);
      if (!(value instanceof Double)) {
        sheet.style(row, column).format(WHOLE_NUMBER).set();
      }
    } else {
      sheet.inlineString(row, column, encoded(value.toString()));
    }
    if (bold) {
      sheet.style(row, column).bold().set();
    }
  }

  private static double days(Instant time) {
    double seconds = time.getEpochSecond() + time.getNano() / NANOS_PER_SECOND;
    return EPOCH_DAY + seconds / SECONDS_PER_DAY;
  }

  private static boolean isExact(Number number) {
    return number instanceof Double
        || new BigDecimal(number.toString()).abs().compareTo(FIRST_INEXACT) < 0;
  }

  /** The text as ISO 29500 stores it, without what no XML file can hold. */
  private static String encoded(String text) {
    String valid = new String(text.getBytes(UTF_8), UTF_8);
    String encoded =
        ENCODED
            .matcher(valid)
            .replaceAll(found -> "_x%04X_".formatted((int) found.group().charAt(0)));
    return encoded.length() <= MAX_TEXT_LENGTH
        ? encoded
        : encoded.substring(0, encoded.offsetByCodePoints(MAX_TEXT_LENGTH - 2, 0)) + "…";
  }

  /** Completes the workbook. */
  @Override
  public void close() throws IOException {
    workbook.close();
  }
}
