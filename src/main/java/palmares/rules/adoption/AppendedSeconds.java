package palmares.rules.adoption;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;

/**
 * {@code points * 10^digits + seconds left until a deadline}: the digits of the points, and after
 * them those of the seconds, with zeros before them. 9999 points and 04403 make 999904403.
 *
 * @param digits 1 to 9
 */
public record AppendedSeconds(int digits) implements Encoding {
  @Override
  public String word() {
    return "appended-seconds-left";
  }

  @Override
  public boolean keepsRanks() {
    return false;
  }

  @Override
  public long exactPoints() {
    return ExactDoubles.mostPoints(BigDecimal.ONE) / unit().longValueExact() - 1;
  }

  @Override
  public boolean holds(Duration left) {
    return left.compareTo(Duration.ofSeconds(unit().longValueExact() - 1)) <= 0;
  }

  @Override
  public DecodedScore decode(double score, ChangeWindow window) {
    var parts = ExactDoubles.whole(score).divideAndRemainder(unit());
    long points = ExactDoubles.points(parts[0]);
    var time = window.deadline().minusSeconds(parts[1].longValueExact());
    return new DecodedScore(points, window.place(time, blur(score)));
  }

  private BigInteger unit() {
    return BigInteger.TEN.pow(digits);
  }

  /** A whole step, not half of one: adding points to the score rounds at each power of two. */
  private static Duration blur(double score) {
    var step = ExactDoubles.step(score);
    return step.compareTo(BigDecimal.ONE) <= 0
        ? Duration.ZERO
        : Duration.ofSeconds(step.longValue());
  }
}
