package palmares.rules.adoption;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;

/**
 * {@code points * 2^bits + ticks left until a deadline}, the same as {@code points << bits | left}.
 *
 * @param unit the length of a tick
 * @param bits how many bits the ticks have; 1 to 52
 */
public record TicksLeft(Unit unit, int bits) implements Encoding {

  /** What is counted down. */
  public enum Unit {
    MILLIS(Duration.ofMillis(1), 41),
    SECONDS(Duration.ofSeconds(1), 27);

    private final Duration tick;
    private final int usualBits;

    Unit(Duration tick, int usualBits) {
      this.tick = tick;
      this.usualBits = usualBits;
    }

    /** The length of one. */
    public Duration tick() {
      return tick;
    }

    /** The bits that the well-known recipe gives them. */
    public int usualBits() {
      return usualBits;
    }
  }

  @Override
  public String word() {
    return unit == Unit.MILLIS ? "millis-left" : "seconds-left";
  }

  @Override
  public boolean keepsRanks() {
    return false;
  }

  @Override
  public long exactPoints() {
    return ExactDoubles.mostPoints(new BigDecimal(Math.scalb(1.0, -bits)));
  }

  @Override
  public boolean holds(Duration left) {
    return left.compareTo(unit.tick().multipliedBy((1L << bits) - 1)) <= 0;
  }

  @Override
  public DecodedScore decode(double score, ChangeWindow window) {
    var parts = ExactDoubles.whole(score).divideAndRemainder(BigInteger.ONE.shiftLeft(bits));
    long points = ExactDoubles.points(parts[0]);
    var left = unit.tick().multipliedBy(parts[1].longValueExact());
    return new DecodedScore(points, window.place(window.deadline().minus(left), blur(score)));
  }

  /** A whole step, not half of one: adding points to the score rounds at each power of two. */
  private Duration blur(double score) {
    var step = ExactDoubles.step(score);
    return step.compareTo(BigDecimal.ONE) <= 0
        ? Duration.ZERO
        : unit.tick().multipliedBy(step.longValue());
  }
}
