package palmares.rules.adoption;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import palmares.rules.adoption.Encoding.UndecodableScore;

/** Converts doubles to exact numbers. */
final class ExactDoubles {
  private static final int DOUBLE_BITS = 53;
  private static final BigInteger MAX_POINTS = BigInteger.valueOf((1L << DOUBLE_BITS) - 1);

  private ExactDoubles() {}

  /**
   * The exact value of a score.
   *
   * @throws UndecodableScore if it is infinite, not a number, or negative
   */
  static BigDecimal exact(double score) {
    BigDecimal exact = finite(score);
    if (score < 0) {
      throw new UndecodableScore(new ScoreSentences.Negative());
    }
    return exact;
  }

  /**
   * The exact value of a score, which may be negative.
   *
   * @throws UndecodableScore if it is infinite or not a number
   */
  static BigDecimal finite(double score) {
    if (Double.isNaN(score) || Double.isInfinite(score)) {
      throw new UndecodableScore(new ScoreSentences.Infinite());
    }
    return new BigDecimal(score);
  }

  /**
   * The exact value of an integer score.
   *
   * @throws UndecodableScore as {@link #exact}, or if the score has a fraction
   */
  static BigInteger whole(double score) {
    try {
      return exact(score).toBigIntegerExact();
    } catch (ArithmeticException e) {
      throw new UndecodableScore(new ScoreSentences.Fraction());
    }
  }

  /**
   * @throws UndecodableScore if the points exceed 2^53 - 1, so that sums would not be exact
   */
  static long points(BigInteger points) {
    if (points.compareTo(MAX_POINTS) > 0) {
      throw new UndecodableScore(new ScoreSentences.TooManyPoints());
    }
    return points.longValueExact();
  }

  /** The distance to the next double. */
  static BigDecimal step(double score) {
    return new BigDecimal(Math.ulp(score));
  }

  static BigInteger round(BigDecimal number) {
    return number.setScale(0, RoundingMode.HALF_UP).toBigInteger();
  }

  /** The largest points up to which doubles are at most a tick apart. */
  static long maxPoints(BigDecimal tick) {
    int bits = DOUBLE_BITS;
    while (new BigDecimal(Math.ulp(Math.scalb(1.0, bits - 1))).compareTo(tick) > 0) {
      bits--;
    }
    return (1L << bits) - 1;
  }
}
