package palmares.live.board;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import palmares.live.board.AdoptedBoards.AdoptionRefused;
import palmares.period.Period;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.ChangeWindow;
import palmares.rules.adoption.Encoding.DecodedScore;
import palmares.rules.adoption.Encoding.UndecodableScore;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.MemberScore;

/** Decodes the lines of one adopted board, sums their points, and collects invalid lines. */
final class AdoptedLines {
  private static final int MAX_LISTED_LINES = 10;
  private static final int MAX_SHOWN_BYTES = 80;
  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,19}(\\.0+)?");

  private final Period period;
  private final Adoption adoption;
  private final ChangeWindow window;
  private final List<Sentence> firstInvalid = new ArrayList<>();
  private final Supplier<Set<String>> unranked;
  private long invalid;
  private long members;
  private long points;
  private boolean timed;

  /**
   * @param unranked the members who have no rank by an exclusion; asked for each invalid score
   */
  AdoptedLines(Period period, Board board, Supplier<Set<String>> unranked) {
    this.unranked = unranked;
    this.period = period;
    this.adoption = board.adoption();
    this.window =
        adoption.window(board.calendarSlot(period.slot()), period.slot().endsAt(), board.grace());
  }

  /**
   * Decodes a line; empty if it is invalid, which {@link #require} reports. If a member has no rank
   * by an exclusion, an invalid score counts as no points.
   */
  Optional<MemberScore> read(byte[] name, double score) {
    try {
      var member = new MemberId(text(name));
      DecodedScore decoded = decode(member, score);
      points = Math.addExact(points, decoded.points());
      members++;
      return Optional.of(
          new MemberScore(member.value(), decoded.points(), 0, 0, decoded.reachedAt()));
    } catch (UndecodableScore e) {
      return note(name, new AdoptionSentences.Score(shown(score), e.said()));
    } catch (InvalidValue e) {
      return note(name, e.said());
    } catch (ArithmeticException e) {
      return note(name, new AdoptionSentences.SumTooLarge());
    }
  }

  private DecodedScore decode(MemberId member, double score) {
    try {
      DecodedScore decoded = adoption.encoding().decode(score, window);
      timed |= !window.deadline().equals(decoded.reachedAt());
      return decoded;
    } catch (UndecodableScore e) {
      if (unranked.get().contains(member.value())) {
        return new DecodedScore(0, null);
      }
      throw e;
    }
  }

  /** Decodes a line of a hash, which has points as a text. */
  Optional<MemberScore> read(byte[] name, byte[] number) {
    String text = new String(number, StandardCharsets.UTF_8);
    return WHOLE.matcher(text).matches()
        ? read(name, Double.parseDouble(text))
        : note(name, new AdoptionSentences.NotWhole(shown(number)));
  }

  private Optional<MemberScore> note(byte[] name, Sentence why) {
    invalid++;
    if (invalid <= MAX_LISTED_LINES) {
      firstInvalid.add(new AdoptionSentences.Line(shown(name), why));
    } else if (invalid == MAX_LISTED_LINES + 1) {
      firstInvalid.add(new AdoptionSentences.AndMore());
    }
    return Optional.empty();
  }

  /**
   * Checks the lines of a whole board.
   *
   * @throws AdoptionRefused as {@link #requireRead} does; or if no line has a time although the
   *     encoding has times, so that the program probably writes another encoding
   */
  void require(String key) {
    requireRead(key);
    var encoding = adoption.encoding();
    if (encoding.storesTime() && members > 0 && !timed) {
      throw new AdoptionRefused(
          period, new AdoptionSentences.NoTimes(members, key, encoding.word()));
    }
  }

  /**
   * Checks the lines of a board or a part of it.
   *
   * @throws AdoptionRefused if a line is invalid, and lists the first ten; or if the scores have
   *     too few bits for the time until the deadline
   */
  void requireRead(String key) {
    var encoding = adoption.encoding();
    if (!adoption.holds(window)) {
      throw new AdoptionRefused(
          period,
          new AdoptionSentences.NoRoom(
              window.from().atZone(ZoneOffset.UTC),
              window.deadline().atZone(ZoneOffset.UTC),
              encoding.word()));
    }
    if (invalid > 0) {
      throw new AdoptionRefused(
          period, new AdoptionSentences.Unreadable(invalid, key, firstInvalid));
    }
  }

  long members() {
    return members;
  }

  long points() {
    return points;
  }

  private static String text(byte[] name) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidValue(new AdoptionSentences.NotUtf8());
    }
  }

  private static String shown(double score) {
    return score == (long) score ? Long.toString((long) score) : Double.toString(score);
  }

  /** Formats bytes that need not be text; those outside of printable ASCII as \x00. */
  static String shown(byte[] bytes) {
    var shown = new StringBuilder();
    for (int i = 0; i < Math.min(bytes.length, MAX_SHOWN_BYTES); i++) {
      char plain = (char) (bytes[i] & 0xff);
      shown.append(
          plain > ' ' && plain < 0x7f ? String.valueOf(plain) : "\\x%02x".formatted(bytes[i]));
    }
    return bytes.length > MAX_SHOWN_BYTES ? shown + "…" : shown.toString();
  }
}
