package palmares.api.reader.lines;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.DateTimeException;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.live.board.LivePage;
import palmares.period.Period;
import palmares.rules.board.ExternalText;
import palmares.rules.board.Layout;
import palmares.rules.board.MemberId;
import palmares.rules.board.MemberScore;

/**
 * Where a page ended. The next one goes on below the position that the line had then, wherever its
 * member stands by now: no line that stays where it is is met twice or missed.
 *
 * @param period the period's number
 * @param spot where that is on the live board; of a settled one the member's line alone
 */
public record Cursor(long period, LivePage.Position spot) {
  /** In place of a score. */
  private static final String SETTLED = "";

  /** Neither scores nor members hold it. */
  private static final String SEPARATOR = "\n";

  private static final int PARTS = 3;
  private static final Pattern SCORE = Pattern.compile("\\d{0,16}");

  static Cursor settled(long period, String member) {
    return new Cursor(period, new LivePage.Position(SETTLED, member));
  }

  boolean isSettled() {
    return spot.score().equals(SETTLED);
  }

  LivePage.Position onLiveBoard() {
    if (isSettled()) {
      throw invalid();
    }
    return spot;
  }

  /** What the line held, as far as it is known. */
  MemberScore held(Supplier<Layout> layout) {
    try {
      MemberScore held =
          isSettled()
              ? new MemberScore(spot.entry(), 0, 0, 0, null)
              : layout.get().holding(spot.entry(), Double.parseDouble(spot.score()));
      new MemberId(held.member());
      return held;
    } catch (IllegalArgumentException
        | IndexOutOfBoundsException
        | ArithmeticException
        | DateTimeException e) {
      throw invalid();
    }
  }

  /** The opaque text that callers hand back. */
  public String text() {
    String parts = String.join(SEPARATOR, period + "", spot.score(), spot.entry());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(parts.getBytes(UTF_8));
  }

  /**
   * @throws ProblemException if it is none, or one of another period
   */
  public static Cursor of(String text, Period period) {
    Cursor cursor = parse(text);
    if (cursor.period() != period.id().value()) {
      throw new ProblemException(
          Problem.INVALID_CURSOR,
          "the cursor is not one of %s: name the period that its page named"
              .formatted(period.label()));
    }
    return cursor;
  }

  private static Cursor parse(String text) {
    try {
      List<String> parts =
          List.of(new String(Base64.getUrlDecoder().decode(text), UTF_8).split(SEPARATOR, -1));
      if (parts.size() != PARTS || !SCORE.matcher(parts.get(1)).matches()) {
        throw invalid();
      }
      String entry =
          ExternalText.require("a line", parts.get(2), Layout.TIE_DIGITS + MemberId.MOST_BYTES);
      return new Cursor(Long.parseLong(parts.get(0)), new LivePage.Position(parts.get(1), entry));
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
  }

  private static ProblemException invalid() {
    return new ProblemException(
        Problem.INVALID_CURSOR, "'after' takes what an answer gave as 'next', as it is");
  }
}
