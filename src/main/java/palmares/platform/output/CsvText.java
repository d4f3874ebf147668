package palmares.platform.output;

/**
 * Keeps spreadsheets from running texts of CSV as formulas, as OWASP recommends under "CSV
 * Injection". What was written is read back as the same text.
 */
public final class CsvText {
  private static final char APOSTROPHE = '\'';

  /** The wide ones count where an input method for Chinese or Japanese makes formulas of them. */
  private static final String FORMULA_STARTS = "=+-@\t\r\n＝＋－＠";

  private CsvText() {}

  /** Puts an apostrophe in front of a text that begins like a formula, or with an apostrophe. */
  public static String written(String text) {
    return isMarked(text, 0) ? APOSTROPHE + text : text;
  }

  /** Returns the text of a cell, without the apostrophe that was put in front when writing. */
  public static String read(String cell) {
    return !cell.isEmpty() && cell.charAt(0) == APOSTROPHE && isMarked(cell, 1)
        ? cell.substring(1)
        : cell;
  }

  private static boolean isMarked(String text, int at) {
    return text.length() > at
        && (text.charAt(at) == APOSTROPHE || FORMULA_STARTS.indexOf(text.charAt(at)) >= 0);
  }
}
