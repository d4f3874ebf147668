package palmares.rules.adoption;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Doubles looked at exactly. */
final class ExactDoubles {
  private static final int DOUBLE_BITS = 53;
  private static final BigInteger MOST_POINTS = BigInteger.valueOf((1L << DOUBLE_BITS) - 1);

  private ExactDoubles() {}

  /**
   * The exact value of a score.
   *
   * @throws UndecodableScore if it is infinite, not a number, or negative
   */
  static BigDecimal exact(double score) {
    if (Double.isNaN(score) || Double.isInfinite(score)) {
      throw new UndecodableScore("is no finite number");
    }
    if (score < 0) {
      throw new UndecodableScore("is negative");
    }
    return new BigDecimal(score);
  }

  /**
   * As {@link #exact}.
   *
   * @throws UndecodableScore if it has a fraction, too
   */
  static BigInteger whole(double score) {
    try {
      return exact(score).toBigIntegerExact();
    } catch (ArithmeticException e) {
      throw new UndecodableScore("is no whole number");
    }
  }

  /**
   * @throws UndecodableScore if points and their sums could not be told exactly any more
   */
  static long points(BigInteger points) {
    if (points.compareTo(MOST_POINTS) > 0) {
      throw new UndecodableScore("means more points than 2^53 - 1");
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

  /** The most points up to which doubles are not farther apart than a tick. */
  static long mostPoints(BigDecimal tick) {
    int bits = DOUBLE_BITS;
    while (new BigDecimal(Math.ulp(Math.scalb(1.0, bits - 1))).compareTo(tick) > 0) {
      bits--;
    }
    return (1L << bits) - 1;
  }
}
