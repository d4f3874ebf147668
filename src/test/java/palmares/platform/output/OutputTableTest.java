package palmares.platform.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.CellType;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.ReadingOptions;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.i18n.LocaleContextHolder;
import palmares.platform.text.Money;

/** One definition of columns serves all formats, and spreadsheets have cells of the right types. */
class OutputTableTest {
  private static final Instant TIME = Instant.parse("2026-11-20T23:59:59.123456Z");
  private static final int MANY = 200_000;

  private record Paid(
      String member, @Nullable Instant at, String currency, @Nullable Number amount) {}

  private static final OutputTable<Paid> COLUMNS =
      new OutputTable<Paid>()
          .text("member", Paid::member)
          .time("paidAt", Paid::at)
          .text("currency", Paid::currency)
          .summed("amount", Paid::amount)
          .totalsBy("currency");

  private static byte[] written(OutputFormat format, Paid... rows) throws IOException {
    var out = new ByteArrayOutputStream();
    COLUMNS.write(format, false, out, "nothing", List.of(rows)::forEach);
    return out.toByteArray();
  }

  private static List<Row> rows(Paid... rows) throws IOException {
    InputStream bytes = new ByteArrayInputStream(written(OutputFormat.XLSX, rows));
    try (var workbook = new ReadableWorkbook(bytes, new ReadingOptions(true, true))) {
      return workbook.getFirstSheet().read();
    }
  }

  private static List<String> texts(Row row) {
    return row.stream().map(cell -> cell == null ? "" : cell.getText()).toList();
  }

  @Test
  void cellsHaveTypes() throws IOException {
    List<Row> rows = rows(new Paid("ann", TIME, "credits", 12L), new Paid("bob", null, "gems", 7));
    assertThat(texts(rows.get(0))).containsExactly("member", "paidAt (UTC)", "currency", "amount");
    assertThat(rows.get(1).stream().map(Cell::getType))
        .containsExactly(CellType.STRING, CellType.NUMBER, CellType.STRING, CellType.NUMBER);
    assertThat(rows.get(1).getCellAsDate(1))
        .contains(LocalDateTime.parse("2026-11-20T23:59:59.123"));
    assertThat(rows.get(1).getCell(1).getDataFormatString()).contains("yyyy-mm-dd");
    assertThat(rows.get(1).getCellAsNumber(3)).contains(BigDecimal.valueOf(12));
    assertThat(rows.get(2).getOptionalCell(1).map(Cell::getText).orElse("")).isEmpty();
  }

  @Test
  void totalsAreKeptForEachCurrency() throws IOException {
    List<Row> rows =
        rows(
            new Paid("ann", TIME, "credits", 12L),
            new Paid("bob", TIME, "gems", -7L),
            new Paid("cid", TIME, "gems", null),
            new Paid("dan", TIME, "credits", new BigDecimal("999999999999987")));
    assertThat(rows.subList(5, rows.size()).stream().map(OutputTableTest::texts))
        .containsExactly(
            List.of("total", "", "credits", "999999999999999"), List.of("total", "", "gems", "-7"));
  }

  private record Awarded(String member, List<Money> prizes) {}

  /** No client takes a text apart to learn what was paid. */
  @Test
  void moneyIsDataInJsonAndATextInCells() throws IOException {
    var row = new Awarded("ann", List.of(Money.of("gems", 1_000), Money.of("keys", 2)));
    OutputTable<Awarded> table = OutputTable.of(Awarded.class);
    assertThat(written(table, OutputFormat.JSON, List.of(row)))
        .contains(
            "{\"member\":\"ann\",\"prizes\":[{\"currency\":\"gems\",\"amount\":1000},"
                + "{\"currency\":\"keys\",\"amount\":2}]}");
    assertThat(written(table, OutputFormat.CSV, List.of(row, new Awarded("bob", List.of()))))
        .isEqualTo("member,prizes\nann,\"1000 gems, 2 keys\"\nbob,\n");
    assertThat(written(table, OutputFormat.TABLE, List.of(row))).contains("1000 gems, 2 keys");
  }

  private static <T> String written(OutputTable<T> table, OutputFormat format, List<T> rows)
      throws IOException {
    var out = new ByteArrayOutputStream();
    table.write(format, false, out, "nothing", rows::forEach);
    return out.toString(UTF_8);
  }

  @Test
  void aTableWithoutRowsHasHeadingsOnly() throws IOException {
    assertThat(rows()).hasSize(1);
  }

  /** A spreadsheet keeps 15 digits, and would show another amount than what was paid. */
  @Test
  void anAmountThatASpreadsheetCannotHoldIsText() throws IOException {
    Cell cell = rows(new Paid("ann", TIME, "credits", 9_007_199_254_740_993L)).get(1).getCell(3);
    assertThat(cell.getType()).isEqualTo(CellType.STRING);
    assertThat(cell.getText()).isEqualTo("9007199254740993");
  }

  @ParameterizedTest
  @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "<&>\"'", "😀 é", "a\nb", "a b"})
  void aTextIsTheSameText(String text) throws IOException {
    Cell cell = rows(new Paid(text, TIME, "", 1)).get(1).getCell(0);
    assertThat(cell.getType()).isEqualTo(CellType.STRING);
    assertThat(cell.getFormula()).isNull();
    assertThat(cell.getText()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"=1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠1"})
  void aFormulaIsATextInCsv(String text) throws IOException {
    assertThat(new String(written(OutputFormat.CSV, new Paid(text, TIME, "", -1)), UTF_8))
        .contains("'" + text)
        .endsWith(",-1\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"=1+1", "'=1+1", "''=1+1", "'", "''", "'ann", "it's", "-", "ann", " a "})
  void aTextThatCsvHasWrittenIsReadAsTheSameText(String text) {
    assertThat(CsvText.read(CsvText.written(text))).isEqualTo(text);
  }

  /** As ISO 29500 asks; the reader of this test does not decode it. */
  @ParameterizedTest
  @CsvSource({
    "_x0041_, _x005F_x0041_",
    "_x004, _x004",
    "'SKU_x0041 ', SKU_x005F_x0041_x0020_",
    "'SKU_x0041', SKU_x005F_x0041",
    "'\u0007a\r', _x0007_a_x000D_",
    "' a ', _x0020_a_x0020_",
    "'\uD800', ?"
  })
  void aCharacterThatASpreadsheetWouldChangeIsEncoded(String text, String encoded)
      throws IOException {
    assertThat(rows(new Paid(text, TIME, "", 1)).get(1).getCell(0).getText()).isEqualTo(encoded);
  }

  @Test
  void aTextThatIsTooLongForACellIsCut() throws IOException {
    String text = rows(new Paid("😀".repeat(20_000), TIME, "", 1)).get(1).getCell(0).getText();
    assertThat(text).startsWith("😀😀").endsWith("😀…").hasSizeLessThanOrEqualTo(32_767);
  }

  @Test
  void theHeadingsStayInSight(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("a.xlsx"), written(OutputFormat.XLSX));
    try (var zip = new ZipFile(file.toFile())) {
      InputStream sheet = zip.getInputStream(zip.getEntry("xl/worksheets/sheet1.xml"));
      assertThat(new String(sheet.readAllBytes(), UTF_8))
          .contains("ySplit=\"1\"", "state=\"frozen\"");
    }
  }

  @Test
  void aValueOfAnotherTypeIsNoFormulaInCsvEither() throws IOException {
    var out = new ByteArrayOutputStream();
    new OutputTable<StringBuilder>()
        .text("any", any -> any)
        .write(OutputFormat.CSV, false, out, "", rows -> rows.accept(new StringBuilder("=1")));
    assertThat(out.toString(UTF_8)).isEqualTo("any\n'=1\n");
  }

  @Test
  void allFormatsHaveTheSameRows() throws IOException {
    Paid ann = new Paid("=ann", TIME, "credits", 12_000);
    assertThat(new String(written(OutputFormat.CSV, ann), UTF_8))
        .isEqualTo("member,paidAt,currency,amount\n'=ann,%s,credits,12000\n".formatted(TIME));
    assertThat(new String(written(OutputFormat.JSON, ann), UTF_8))
        .isEqualTo(
            """
            [
            {"member":"=ann","paidAt":"%s","currency":"credits","amount":12000}
            ]
            """
                .formatted(TIME));
    assertThat(new String(written(OutputFormat.TABLE, ann), UTF_8))
        .contains("paid", "=ann", "2026-11-20T23:59:59Z", "12,000");
    assertThat(new String(written(OutputFormat.TABLE), UTF_8)).isEqualTo("nothing\n");
  }

  /** Files have the names that programs read. */
  @Test
  void theHeadingsOfATableAreInTheLanguageOfItsReader() {
    LocaleContextHolder.setLocale(Locale.CHINESE);
    try {
      var awards =
          new OutputTable<Paid>()
              .time("paidAt", Paid::at)
              .summed("award:first", Paid::amount)
              .number("ownFigure", Paid::amount);
      assertThat(awards.table(List.of(new Paid("ann", TIME, "credits", 1))).lines().findFirst())
          .hasValueSatisfying(
              headings -> assertThat(headings).contains("发放时间", "奖励：first", "own figure"));
    } finally {
      LocaleContextHolder.resetLocaleContext();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TABLE", "CSV", "XLSX"})
  void manyRowsNeedLittleMemory(OutputFormat format, @TempDir Path folder)
      throws IOException, InterruptedException {
    Path file = folder.resolve("rows");
    Process writer =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin/java",
                "-Xmx24m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                OutputTableTest.class.getName(),
                format.name(),
                file.toString())
            .inheritIO()
            .start();
    assertThat(writer.waitFor()).isZero();
    switch (format) {
      case TABLE ->
          assertThat(Files.readAllLines(file))
              .hasSize(OutputTable.MAX_ROWS_IN_TABLE + 3)
              .last()
              .isEqualTo("and 190,000 more rows: the format csv has all of them");
      case CSV -> {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
          assertThat(lines.lines().count()).isEqualTo(MANY + 1);
        }
      }
      default -> assertMany(file);
    }
  }

  private static void assertMany(Path file) throws IOException {
    try (var workbook = new ReadableWorkbook(file.toFile());
        Stream<Row> rows = workbook.getFirstSheet().openStream()) {
      long[] read = new long[2];
      Optional<Row> last =
          rows.peek(
                  row -> {
                    read[0]++;
                    read[1] += row.getRowNum() == read[0] ? 0 : 1;
                  })
              .reduce((earlier, later) -> later);
      assertThat(read).containsExactly(MANY + 2, 0);
      assertThat(last.map(OutputTableTest::texts))
          .contains(List.of("total", "", "credits", "19999900000"));
    }
  }

  /** Runs in a JVM with a small heap. */
  public static void main(String[] args) throws IOException {
    try (OutputStream out = Files.newOutputStream(Path.of(args[1]))) {
      COLUMNS.write(
          OutputFormat.valueOf(args[0].toUpperCase(Locale.ROOT)),
          false,
          out,
          "",
          row ->
              IntStream.range(0, MANY)
                  .mapToObj(i -> new Paid("member-" + i, TIME.plusMillis(i), "credits", i))
                  .forEach(row));
    }
  }

  /** A sheet holds 1,048,576 rows, and one of them is that of the headings. */
  @Test
  void rowsThatDoNotFitGoOnTheNextSheet() throws IOException {
    assertThat(Spreadsheet.MAX_ROWS_IN_SHEET).isEqualTo(1_048_576);
    var out = new ByteArrayOutputStream();
    try (var sheets = new Spreadsheet(out, List.of(new Spreadsheet.Heading("n", false)), 100)) {
      for (int n = 0; n < 101; n++) {
        sheets.add(List.of(n), false);
      }
    }
    try (var workbook = new ReadableWorkbook(new ByteArrayInputStream(out.toByteArray()))) {
      List<Sheet> sheets = workbook.getSheets().toList();
      assertThat(sheets).extracting(Sheet::getName).containsExactly("rows 1", "rows 2");
      assertThat(sheets.get(1).read().stream().map(OutputTableTest::texts))
          .containsExactly(List.of("n"), List.of("99"), List.of("100"));
    }
  }

  @Test
  void longTextsAreBrokenIntoLinesAndLinesOfOursStayLines() {
    var rows = List.of(new Paid("a long reason ".repeat(6), null, "one\ntwo\u001b", 7));
    assertThat(
            new OutputTable<Paid>()
                .wrapped("member", Paid::member)
                .text("currency", Paid::currency)
                .lines("currency", Paid::currency)
                .table(rows))
        .isEqualTo(
            """
             member                                                    | currency \s
            -----------------------------------------------------------+-----------
             a long reason a long reason a long reason a long reason a | one      \s
             long reason a long reason                                 | two\\u001b \
            """);
  }

  /** A terminal shows a Chinese character or an emoji in two columns, and an accent in none. */
  @Test
  void wideCharactersLeaveTheColumnsOfATableAligned() {
    var rows =
        List.of(
            new Paid("ann", null, "gems", 7),
            new Paid("王小明明明明", null, "金币".repeat(31), 12_000),
            new Paid("⚡🎉e\u0301", null, "why 为 ".repeat(20), 1));
    assertThat(
            new OutputTable<Paid>()
                .text("member", Paid::member)
                .wrapped("currency", Paid::currency)
                .table(rows))
        .isEqualTo(
            """
             member       | currency                                                  \s
            --------------+------------------------------------------------------------
             ann          | gems                                                      \s
             王小明明明明 | 金币金币金币金币金币金币金币金币金币金币金币金币金币金币金\s
                          | 币金币金币金币金币金币金币金币金币金币金币金币金币金币金币\s
                          | 金币金币                                                  \s
             ⚡🎉e\u0301        | why 为 why 为 why 为 why 为 why 为 why 为 why 为 why 为   \s
                          | why 为 why 为 why 为 why 为 why 为 why 为 why 为 why 为   \s
                          | why 为 why 为 why 为 why 为                                \
            """);
    assertThat(
            new OutputTable<Paid>()
                .number("member", Paid::member)
                .number("amount", Paid::amount)
                .table(rows))
        .isEqualTo(
            """
                   member | amount\s
            --------------+--------
                      ann |      7\s
             王小明明明明 | 12,000\s
                    ⚡🎉e\u0301 |      1 \
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "ann, 3",
    "王小明, 6",
    "한국, 4",
    "ｆｕｌｌ, 8",
    "ﾊﾝ, 2",
    "🎉, 2",
    "⚡, 2",
    "👍🏽, 4",
    "é, 1",
    "e\u0301, 1",
    "𠮷, 2",
    "§, 1",
    "ж, 1",
    "'—', 1",
    "☃, 1"
  })
  void aTextIsAsWideAsATerminalShowsIt(String text, int columns) {
    assertThat(DisplayWidth.of(text)).isEqualTo(columns);
  }
}
