package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.util.UriUtils;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.OutputTable;

/** A list that grows is the same in pages and as a whole. */
class ListingTest {
  private static final int IN_TABLE = 3;
  private static final OutputTable<Integer> COLUMNS =
      new OutputTable<Integer>().number("n", n -> n).text("text", n -> "a\n\"" + n);

  private final AtomicInteger mostRead = new AtomicInteger();

  private Listing page(int rows, @Nullable Integer count, @Nullable String after) {
    return Listing.page(
        COLUMNS,
        "nothing",
        new PageRequest(count, after),
        IN_TABLE,
        1,
        (cursor, most) -> {
          mostRead.accumulateAndGet(most, Math::max);
          int from = cursor == null ? 0 : (int) cursor.number(0) + 1;
          return IntStream.range(from, Math.min(from + most, rows)).boxed().toList();
        },
        PageCursor::of);
  }

  private static Listing all(int rows) {
    return Listing.of(COLUMNS, "nothing", IntStream.range(0, rows).boxed().toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 6, 7})
  void followedPagesAreTheWholeArray(int rows) throws IOException {
    Listing.Body joined =
        Listing.followed(after -> page(rows, 2, after), null).in(OutputFormat.JSON);
    assertThat(text(joined)).isEqualTo(text(all(rows).in(OutputFormat.JSON)));
    assertThat(joined.next()).isNull();
  }

  @Test
  void aPageMayBeEmptyByNow() throws IOException {
    Listing.Body joined =
        Listing.followed(after -> page(after == null ? 3 : 0, 2, after), null)
            .in(OutputFormat.JSON);
    assertThat(text(joined)).isEqualTo(text(all(2).in(OutputFormat.JSON)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 999, 1_000, 1_001, 2_000, 2_001, 3_500})
  void filesHaveAllRowsWhichAreReadInParts(int rows) throws IOException {
    Listing.Body file = page(rows, null, null).in(OutputFormat.CSV);
    assertThat(text(file)).isEqualTo(text(all(rows).in(OutputFormat.CSV)));
    assertThat(file.next()).isNull();
    assertThat(mostRead).hasValue(Listing.DEFAULT_COUNT + 1);
  }

  @Test
  void aFileBeginsAfterItsCursor() throws IOException {
    Listing.Body file = page(2_500, null, PageCursor.of(2_497).text()).in(OutputFormat.CSV);
    assertThat(text(file)).contains("2498,", "2499,").doesNotContain("2497,");
  }

  @Test
  void tablesAndArraysAreOnePageUnlessFollowed() throws IOException {
    Listing.Body table = page(5_000, null, null).in(OutputFormat.TABLE);
    assertThat(text(table)).contains("\"0", "\"2").doesNotContain("\"3");
    assertThat(table.next()).isEqualTo(PageCursor.of(2).text());
    assertThat(page(5_000, null, null).in(OutputFormat.JSON).next())
        .isEqualTo(PageCursor.of(999).text());
    assertThat(Listing.followed(after -> page(5, null, after), null).in(OutputFormat.TABLE).next())
        .isEqualTo(PageCursor.of(2).text());
    for (OutputFormat format : List.of(OutputFormat.CSV, OutputFormat.JSON, OutputFormat.TABLE)) {
      assertThat(page(5, 5, null).in(format).next()).isNull();
      assertThat(page(6, 5, null).in(format).next()).isEqualTo(PageCursor.of(4).text());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 39, 40, 41, 1_000})
  void notesOfAnyNumberAndLengthFitInHeaders(int number) {
    List<String> notes =
        IntStream.range(0, number)
            .mapToObj(n -> n + ":" + (n == number / 3 ? "汉字 %\n\ud83c\udfc6".repeat(2_000) : ""))
            .toList();
    List<String> headers = ListingConverter.encoded(notes);
    assertThat(headers.stream().mapToInt(header -> header.length() + 17).sum())
        .isLessThanOrEqualTo(3_000);
    List<String> read = headers.stream().map(header -> UriUtils.decode(header, UTF_8)).toList();
    assertThat(read).hasSize(Math.min(number, 40)).noneMatch(note -> note.contains("\ufffd"));
    assertThat(read.get(read.size() - 1)).startsWith(number - 1 + ":");
    assertThat(read.contains("961 more notes")).isEqualTo(number == 1_000);
    assertThat(read.stream().filter(note -> note.endsWith("…")).count())
        .isEqualTo(number == 1_000 ? 0 : 1);
    assertThat(ListingConverter.encoded(notes.subList(0, number / 3)))
        .as("short ones are as they are")
        .containsAll(headers.subList(0, Math.min(13, number / 3)));
  }

  private static String text(Listing.Body body) throws IOException {
    var out = new ByteArrayOutputStream();
    body.content().write(out, false);
    return out.toString(UTF_8);
  }
}
