package palmares.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.MemberId;

/**
 * The end of a page of a list: the keys by which the list is ordered, of the page's last row. The
 * next page has the rows after these keys. A row that was there is therefore neither repeated nor
 * missed, no matter what is added meanwhile.
 */
public record PageCursor(List<String> keys) {
  private static final String SEPARATOR = "\n";
  private static final int MAX_YEAR = 9999;

  public PageCursor {
    keys = List.copyOf(keys);
  }

  /** The keys of a row, of which only the last one may contain a line feed. */
  public static PageCursor of(Object... keys) {
    return new PageCursor(Arrays.stream(keys).map(String::valueOf).toList());
  }

  /** Encodes the cursor as opaque text. */
  public String text() {
    String text = String.join(SEPARATOR, keys);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  /**
   * Decodes a cursor.
   *
   * @param number how many keys it has
   * @return null if the text is null, for the first page
   * @throws Refusal if it is no cursor of such a list
   */
  public static @Nullable PageCursor parse(@Nullable String text, int number) {
    if (text == null) {
      return null;
    }
    try {
      String keys = new String(Base64.getUrlDecoder().decode(text), UTF_8);
      List<String> parts = List.of(keys.split(SEPARATOR, number));
      if (parts.size() == number && keys.indexOf('\0') < 0) {
        return new PageCursor(parts);
      }
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
    throw invalid();
  }

  /** The only key of a list that is ordered by numbers; null for the first page. */
  static @Nullable Long number(@Nullable PageCursor cursor) {
    return cursor == null ? null : cursor.number(0);
  }

  /** The only key of a list that is ordered by days; null for the first page. */
  static @Nullable LocalDate day(@Nullable PageCursor cursor) {
    return cursor == null
        ? null
        : LocalDate.ofInstant(cursor.time(cursor.key(0) + "T00:00:00Z"), ZoneOffset.UTC);
  }

  /** A key that is a member's id. */
  static MemberId member(String key) {
    return MemberId.parse(key).orElseThrow(PageCursor::invalid);
  }

  public String key(int i) {
    return keys.get(i);
  }

  public long number(int i) {
    try {
      return Long.parseLong(key(i));
    } catch (NumberFormatException e) {
      throw invalid();
    }
  }

  public Instant time(int i) {
    return time(key(i));
  }

  /** Refuses times that PostgreSQL does not know. */
  private Instant time(String text) {
    try {
      Instant time = Instant.parse(text);
      int year = time.atOffset(ZoneOffset.UTC).getYear();
      if (year >= 0 && year <= MAX_YEAR) {
        return time;
      }
    } catch (DateTimeException e) {
      throw invalid();
    }
    throw invalid();
  }

  private static Refusal invalid() {
    return new Refusal(Problem.INVALID_CURSOR, new ListingSentences.NoCursor());
  }
}
