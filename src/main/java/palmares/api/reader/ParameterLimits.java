package palmares.api.reader;

import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.live.intake.Refusal;
import palmares.live.intake.RefusalReason;
import palmares.rules.board.MemberId;

/** What parameters may be. */
public final class ParameterLimits {
  /** An answer holds so many lines at the most. */
  static final int MOST_LINES = 1_000;

  /** No board has more ranks: whole numbers are exact up to here everywhere. */
  private static final long MOST_RANKS = 1L << 53;

  private ParameterLimits() {}

  static int count(int value) {
    return count(value, MOST_LINES);
  }

  /** How many lines an answer may hold. */
  public static int count(int value, int most) {
    return (int) within("count", value, 1, most);
  }

  /**
   * @throws ProblemException if a question names more members than an answer holds
   */
  static void requireFew(int members) {
    if (members > MOST_LINES) {
      throw new ProblemException(
          Problem.TOO_MANY_MEMBERS, "a question names at most %d members".formatted(MOST_LINES));
    }
  }

  static int neighbours(int value) {
    return (int) within("neighbours", value, 0, MOST_LINES);
  }

  static long rank(String name, long value) {
    return within(name, value, 1, MOST_RANKS);
  }

  static MemberId member(String value) {
    try {
      return new MemberId(value);
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
  }

  static Refusal invalid(String detail) {
    return new Refusal(RefusalReason.INVALID_FIELD, detail);
  }

  private static long within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw invalid("'%s' is a number from %d to %d, not %d".formatted(name, least, most, value));
    }
    return value;
  }
}
