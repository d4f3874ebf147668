package palmares.rules.adoption;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import palmares.rules.adoption.Encoding.DecodedScore;
import palmares.rules.adoption.Encoding.UndecodableScore;

/** Decodes scores that contain the ticks left until a deadline. */
final class Countdown {
  static final Duration SECOND = Duration.ofSeconds(1);

  private Countdown() {}

  /** Whether the digits hold a countdown in seconds. */
  static boolean holds(int digits, Duration countdown) {
    long max = BigInteger.TEN.pow(digits).longValueExact() - 1;
    return countdown.compareTo(Duration.ofSeconds(max)) <= 0;
  }

  /**
   * Decodes {@code points * unit + ticks left}.
   *
   * @param step the distance of two doubles there, in ticks
   * @throws UndecodableScore if the time is outside the window
   */
  static DecodedScore decode(
      BigInteger score, BigDecimal step, BigInteger unit, Duration tick, ChangeWindow window) {
    var parts = score.divideAndRemainder(unit);
    var left = tick.multipliedBy(parts[1].longValueExact());
    var uncertainty =
        step.compareTo(BigDecimal.ONE) <= 0 ? Duration.ZERO : tick.multipliedBy(step.longValue());
    return new DecodedScore(
        ExactDoubles.points(parts[0]), window.clamp(window.deadline().minus(left), uncertainty));
  }
}
