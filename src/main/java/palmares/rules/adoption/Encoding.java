package palmares.rules.adoption;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/**
 * Decodes a Redis score of another program, which contains points and perhaps a time.
 *
 * <p>If points are large, doubles are farther apart than the ticks of the time. The uncertainty of
 * a decoded time is then a whole step of the double, not half of one, because adding points to a
 * score rounds at each power of two.
 */
public sealed interface Encoding {
  String word();

  /** Whether the program uses three keys, for members, counts and ranks, instead of one ZSET. */
  default boolean usesThreeKeys() {
    return false;
  }

  /** Whether a score contains the time at which its points were reached. */
  default boolean storesTime() {
    return exactPoints() > 0;
  }

  /** The largest points at which any two ticks are distinct; 0 if the score contains no time. */
  long exactPoints();

  /** Whether that time is what is left until a deadline. */
  default boolean countsDown() {
    return true;
  }

  /** Whether a countdown of the given length fits; true for encodings without a countdown. */
  default boolean holds(Duration countdown) {
    return true;
  }

  /**
   * Decodes a score in exact arithmetic.
   *
   * @throws UndecodableScore if the encoding cannot have produced the score in this period
   */
  DecodedScore decode(double score, ChangeWindow window);

  /**
   * The score is the points, as set by ZADD or ZINCRBY. Sums of doubles are not exact, so a score
   * is taken for the nearest number with these decimals if it is near enough.
   *
   * @param decimals of the scores, 0 to 9; points count the smallest of these fractions
   * @param belowZero what a score below zero means
   */
  record PlainPoints(int decimals, BelowZero belowZero) implements Encoding {
    /**
     * The largest error of a score, in the smallest fraction; a greater one means more decimals.
     */
    private static final BigDecimal MAX_ERROR = new BigDecimal("0.001");

    /** Half the distance of two doubles, above which they are too far apart for the fractions. */
    private static final BigDecimal MAX_HALF_STEP = new BigDecimal("0.25");

    /** Says what a score below zero means. */
    public enum BelowZero implements Choice {
      /** It is an error. */
      REFUSE,
      /** The member has no points. */
      ZERO
    }

    /** Whole numbers from zero. */
    public PlainPoints() {
      this(0, BelowZero.REFUSE);
    }

    @Override
    public String word() {
      return "points";
    }

    @Override
    public boolean countsDown() {
      return false;
    }

    @Override
    public long exactPoints() {
      return 0;
    }

    @Override
    public DecodedScore decode(double score, ChangeWindow window) {
      var scaled = ExactDoubles.finite(score).scaleByPowerOfTen(decimals);
      var whole = ExactDoubles.round(scaled);
      var halfStep = ExactDoubles.step(score / 2).scaleByPowerOfTen(decimals);
      if (decimals > 0 && halfStep.compareTo(MAX_HALF_STEP) > 0) {
        throw new UndecodableScore(new ScoreSentences.TooLarge(decimals));
      }
      var error = scaled.subtract(new BigDecimal(whole)).abs();
      if (error.compareTo(MAX_ERROR.max(halfStep)) > 0) {
        throw new UndecodableScore(
            decimals == 0
                ? new ScoreSentences.FractionWithoutDecimals()
                : new ScoreSentences.TooManyDecimals(decimals));
      }
      if (whole.signum() < 0 && belowZero == BelowZero.REFUSE) {
        throw new UndecodableScore(new ScoreSentences.Negative());
      }
      return new DecodedScore(ExactDoubles.points(whole.max(BigInteger.ZERO)), null);
    }
  }

  /**
   * Three keys: a hash of each member's points, a hash of the number of members with each value of
   * points, and a ZSET of these values, whose rank is the rank of their members.
   */
  record SharedRank() implements Encoding {
    @Override
    public String word() {
      return "shared-rank";
    }

    @Override
    public boolean usesThreeKeys() {
      return true;
    }

    @Override
    public boolean countsDown() {
      return false;
    }

    @Override
    public long exactPoints() {
      return 0;
    }

    @Override
    public DecodedScore decode(double score, ChangeWindow window) {
      return new PlainPoints().decode(score, window);
    }
  }

  /** {@code points + 1 - epochMs / 1e13}: the earlier the time, the greater the fraction. */
  record TimeFraction() implements Encoding {
    private static final BigDecimal TICKS_PER_POINT = BigDecimal.TEN.pow(13);

    /** From this score on, doubles are half a point apart, and points are ambiguous. */
    private static final double FIRST_AMBIGUOUS_SCORE = 0x1p51;

    @Override
    public String word() {
      return "time-fraction";
    }

    @Override
    public boolean countsDown() {
      return false;
    }

    @Override
    public long exactPoints() {
      return ExactDoubles.maxPoints(BigDecimal.ONE.divide(TICKS_PER_POINT));
    }

    @Override
    public DecodedScore decode(double score, ChangeWindow window) {
      var exact = ExactDoubles.exact(score);
      if (score >= FIRST_AMBIGUOUS_SCORE) {
        throw new UndecodableScore(new ScoreSentences.PastExact());
      }
      var points = exact.toBigInteger();
      var fraction = BigDecimal.ONE.subtract(exact.subtract(new BigDecimal(points)));
      var millis = ExactDoubles.round(fraction.multiply(TICKS_PER_POINT)).longValueExact();
      var uncertainty =
          Duration.ofMillis(ExactDoubles.step(score).multiply(TICKS_PER_POINT).longValue());
      return new DecodedScore(
          ExactDoubles.points(points), window.clamp(Instant.ofEpochMilli(millis), uncertainty));
    }
  }

  /**
   * {@code points * 2^bits + ticks left until a deadline}, or {@code points << bits | left}.
   *
   * @param unit the length of a tick
   * @param bits of the ticks; 1 to 52
   */
  record TicksLeft(Unit unit, int bits) implements Encoding {
    /** The unit of a countdown. */
    public enum Unit {
      MILLIS(Duration.ofMillis(1), 41),
      SECONDS(Duration.ofSeconds(1), 27);

      private final Duration tick;
      private final int usualBits;

      Unit(Duration tick, int usualBits) {
        this.tick = tick;
        this.usualBits = usualBits;
      }

      /** The bits in the common form of this encoding. */
      public int usualBits() {
        return usualBits;
      }
    }

    @Override
    public String word() {
      return unit == Unit.MILLIS ? "millis-left" : "seconds-left";
    }

    @Override
    public long exactPoints() {
      return ExactDoubles.maxPoints(new BigDecimal(Math.scalb(1.0, -bits)));
    }

    @Override
    public boolean holds(Duration countdown) {
      return countdown.compareTo(unit.tick.multipliedBy((1L << bits) - 1)) <= 0;
    }

    @Override
    public DecodedScore decode(double score, ChangeWindow window) {
      return Countdown.decode(
          ExactDoubles.whole(score),
          ExactDoubles.step(score),
          BigInteger.ONE.shiftLeft(bits),
          unit.tick,
          window);
    }
  }

  /**
   * {@code points.secondsLeft}, set as a text: the decimals are the seconds left until a deadline,
   * padded with zeros.
   *
   * @param digits 1 to 9
   */
  record DecimalSeconds(int digits) implements Encoding {
    /** The largest error of a sum of such scores; a greater one means more decimals. */
    private static final BigDecimal MAX_ERROR = new BigDecimal("0.25");

    @Override
    public String word() {
      return "decimal-seconds-left";
    }

    @Override
    public long exactPoints() {
      return ExactDoubles.maxPoints(BigDecimal.valueOf(1, digits));
    }

    @Override
    public boolean holds(Duration countdown) {
      return Countdown.holds(digits, countdown);
    }

    @Override
    public DecodedScore decode(double score, ChangeWindow window) {
      var scaled = ExactDoubles.exact(score).scaleByPowerOfTen(digits);
      var step = ExactDoubles.step(score).scaleByPowerOfTen(digits);
      var whole = ExactDoubles.round(scaled);
      if (scaled.subtract(new BigDecimal(whole)).abs().compareTo(MAX_ERROR.max(step)) > 0) {
        throw new UndecodableScore(new ScoreSentences.TooManyDecimals(digits));
      }
      return Countdown.decode(whole, step, BigInteger.TEN.pow(digits), Countdown.SECOND, window);
    }
  }

  /**
   * {@code points * 10^digits + seconds left until a deadline}: the digits of the points, followed
   * by those of the seconds, padded with zeros. 9999 points and 04403 give 999904403.
   *
   * @param digits 1 to 9
   */
  record AppendedSeconds(int digits) implements Encoding {
    @Override
    public String word() {
      return "appended-seconds-left";
    }

    @Override
    public long exactPoints() {
      return ExactDoubles.maxPoints(BigDecimal.ONE) / unit().longValueExact() - 1;
    }

    @Override
    public boolean holds(Duration countdown) {
      return Countdown.holds(digits, countdown);
    }

    @Override
    public DecodedScore decode(double score, ChangeWindow window) {
      return Countdown.decode(
          ExactDoubles.whole(score), ExactDoubles.step(score), unit(), Countdown.SECOND, window);
    }

    private BigInteger unit() {
      return BigInteger.TEN.pow(digits);
    }
  }

  /**
   * The points and the time that a score of another program contains.
   *
   * @param points from 0 to 2^53 - 1
   * @param reachedAt when they were reached, at the precision of the score; null if it has no time
   */
  record DecodedScore(long points, @Nullable Instant reachedAt) {}

  /** Reports a score that the encoding cannot have produced: it is misconfigured, or corrupt. */
  final class UndecodableScore extends RuntimeException {
    private final transient Sentence said;

    UndecodableScore(Sentence said) {
      super(null, null, false, false);
      this.said = said;
    }

    /** Returns what follows the score. */
    public Sentence said() {
      return said;
    }

    @Override
    public String getMessage() {
      return Texts.english(said);
    }
  }
}
