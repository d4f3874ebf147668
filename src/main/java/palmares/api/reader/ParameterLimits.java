package palmares.api.reader;

import palmares.live.intake.EventRefusal;
import palmares.live.intake.RefusalReason;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;
import palmares.rules.board.MemberId;

/** Checks the parameters of reads. */
public final class ParameterLimits {
  /** The maximum number of lines in a response. */
  static final int MAX_LINES = 1_000;

  /** The largest number that JSON clients represent exactly. */
  private static final long MAX_RANK = 1L << 53;

  private ParameterLimits() {}

  static int count(int value) {
    return count(value, MAX_LINES);
  }

  /** Checks the number of lines that a response may have. */
  public static int count(int value, int max) {
    return (int) within("count", value, 1, max);
  }

  /**
   * Checks the number of members that a request names.
   *
   * @throws Refusal if there are too many
   */
  static void requireAtMostMaxLines(int members) {
    if (members > MAX_LINES) {
      throw new Refusal(Problem.TOO_MANY_MEMBERS, new BoardSentences.TooManyMembers(MAX_LINES));
    }
  }

  static int neighbours(int value) {
    return (int) within("neighbours", value, 0, MAX_LINES);
  }

  static long rank(String name, long value) {
    return within(name, value, 1, MAX_RANK);
  }

  /** The member's id that a path or parameter has. */
  public static MemberId member(String value) {
    try {
      return new MemberId(value);
    } catch (InvalidValue e) {
      throw invalid(e.said());
    }
  }

  static EventRefusal invalid(Sentence said) {
    return new EventRefusal(RefusalReason.INVALID_FIELD, said);
  }

  /** Checks that a number is within both bounds. */
  public static long within(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw invalid(new BoardSentences.OutOfRange(name, min, max, value));
    }
    return value;
  }
}
