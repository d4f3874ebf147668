package palmares.rules.adoption;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;

/**
 * {@code points.secondsLeft}, set as a text: the seconds left until a deadline are the decimals,
 * with zeros before them to so many digits.
 *
 * @param digits 1 to 9
 */
public record DecimalSeconds(int digits) implements Encoding {
  /** A sum of such scores stays so near to its decimals; what is farther off has more digits. */
  private static final BigDecimal NEAR = new BigDecimal("0.25");

  @Override
  public String word() {
    return "decimal-seconds-left";
  }

  @Override
  public boolean keepsRanks() {
    return false;
  }

  @Override
  public long exactPoints() {
    return ExactDoubles.mostPoints(BigDecimal.valueOf(1, digits));
  }

  @Override
  public boolean holds(Duration left) {
    return left.compareTo(Duration.ofSeconds(BigInteger.TEN.pow(digits).longValueExact() - 1)) <= 0;
  }

  @Override
  public DecodedScore decode(double score, ChangeWindow window) {
    var scaled = ExactDoubles.exact(score).scaleByPowerOfTen(digits);
    var step = ExactDoubles.step(score).scaleByPowerOfTen(digits);
    var whole = ExactDoubles.round(scaled);
    if (scaled.subtract(new BigDecimal(whole)).abs().compareTo(NEAR.max(step)) > 0) {
      throw new UndecodableScore("has more than %d decimals".formatted(digits));
    }
    var parts = whole.divideAndRemainder(BigInteger.TEN.pow(digits));
    var time = window.deadline().minusSeconds(parts[1].longValueExact());
    return new DecodedScore(ExactDoubles.points(parts[0]), window.place(time, blur(step)));
  }

  private static Duration blur(BigDecimal step) {
    return step.compareTo(BigDecimal.ONE) <= 0
        ? Duration.ZERO
        : Duration.ofSeconds(step.longValue());
  }
}
