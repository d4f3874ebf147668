package palmares.rules.adoption;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/** {@code points + 1 - epochMs / 1e13}: the earlier, the bigger the fraction. */
public record TimeFraction() implements Encoding {
  private static final BigDecimal TICKS = BigDecimal.TEN.pow(13);

  /** From here on doubles are half a point apart, and the points cannot be read back. */
  private static final double UNREADABLE = 0x1p51;

  @Override
  public String word() {
    return "time-fraction";
  }

  @Override
  public boolean keepsRanks() {
    return false;
  }

  @Override
  public long exactPoints() {
    return ExactDoubles.mostPoints(BigDecimal.ONE.divide(TICKS));
  }

  @Override
  public DecodedScore decode(double score, ChangeWindow window) {
    var exact = ExactDoubles.exact(score);
    if (score >= UNREADABLE) {
      throw new UndecodableScore("is past 2^51, where its points cannot be told from its time");
    }
    var points = exact.toBigInteger();
    var fraction = BigDecimal.ONE.subtract(exact.subtract(new BigDecimal(points)));
    var time = Instant.ofEpochMilli(ExactDoubles.round(fraction.multiply(TICKS)).longValueExact());
    return new DecodedScore(ExactDoubles.points(points), window.place(time, blur(score)));
  }

  /** A whole step, not half of one: adding points to the score rounds at each power of two. */
  private static Duration blur(double score) {
    return Duration.ofMillis(ExactDoubles.step(score).multiply(TICKS).longValue());
  }
}
