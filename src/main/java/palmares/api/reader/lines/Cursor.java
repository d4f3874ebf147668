package palmares.api.reader.lines;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.DateTimeException;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import palmares.live.board.LivePage;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.ExternalText;
import palmares.rules.board.Layout;
import palmares.rules.board.MemberId;
import palmares.rules.board.MemberScore;

/**
 * Identifies the last line of a page. The next page starts below the position of the last line at
 * that time, even if that line has moved since. A line that does not move is neither repeated nor
 * missed.
 *
 * @param period the period's id
 * @param position the position on the live board; on a settled board only the member
 */
public record Cursor(long period, LivePage.Position position) {
  /** The score of positions on settled boards. */
  private static final String SETTLED = "";

  /** Neither scores nor members contain it. */
  private static final String SEPARATOR = "\n";

  private static final int PARTS = 3;
  private static final Pattern SCORE = Pattern.compile("\\d{0,16}");

  static Cursor settled(long period, String member) {
    return new Cursor(period, new LivePage.Position(SETTLED, member));
  }

  boolean isSettled() {
    return position.score().equals(SETTLED);
  }

  LivePage.Position onLiveBoard() {
    if (isSettled()) {
      throw invalid();
    }
    return position;
  }

  /** Decodes the score of the line; on a settled board only the member is known. */
  MemberScore score(Supplier<Layout> layout) {
    try {
      MemberScore score =
          isSettled()
              ? new MemberScore(position.entry(), 0, 0, 0, null)
              : layout.get().decode(position.entry(), Double.parseDouble(position.score()));
      new MemberId(score.member());
      return score;
    } catch (IllegalArgumentException
        | IndexOutOfBoundsException
        | ArithmeticException
        | DateTimeException e) {
      throw invalid();
    }
  }

  /** Encodes the cursor as opaque text. */
  public String text() {
    String parts = String.join(SEPARATOR, period + "", position.score(), position.entry());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(parts.getBytes(UTF_8));
  }

  /**
   * Decodes a cursor.
   *
   * @throws Refusal if it is not valid, or belongs to another period
   */
  public static Cursor of(String text, Period period) {
    Cursor cursor = parse(text);
    if (cursor.period() != period.id().value()) {
      throw new Refusal(
          Problem.INVALID_CURSOR, new LineSentences.CursorOfOtherPeriod(period.label()));
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
          ExternalText.require("line", parts.get(2), Layout.TIE_DIGITS + MemberId.MAX_BYTES);
      return new Cursor(Long.parseLong(parts.get(0)), new LivePage.Position(parts.get(1), entry));
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
  }

  private static Refusal invalid() {
    return new Refusal(Problem.INVALID_CURSOR, new LineSentences.NoCursor());
  }
}
