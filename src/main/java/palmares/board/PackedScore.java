package palmares.board;

import java.time.Duration;
import java.time.Instant;
import palmares.calendar.Slot;

/**
 * Points and reached-at in one double that sorts by points, then earliest time: {@code points ·
 * 2^timeBits + ticks left until the deadline}. Exact as long as the whole number stays within the
 * 53 bits of a double, which {@link #of} makes sure of.
 *
 * @param timeBits how many bits the ticks take
 * @param deadline the tick at which none is left: the period's end and its grace
 * @param resolution the length of a tick
 */
public record PackedScore(int timeBits, long deadline, Resolution resolution) {
  /** A double holds whole numbers exactly up to 2 to this power. */
  public static final int EXACT_BITS = 53;

  /**
   * The layout for a period: the fewest bits of time that hold it and its grace.
   *
   * @throws IllegalArgumentException if the points do not fit into the bits that are left
   */
  public static PackedScore of(Slot slot, Duration grace, Resolution resolution, long maxPoints) {
    var deadline = slot.endsAt().plus(grace);
    int bits = timeBits(Duration.between(slot.startsAt(), deadline), resolution);
    if (maxPoints > maxPoints(bits)) {
      throw new IllegalArgumentException(
          "period %s takes %d bits of time, which leaves room for %d points, not for %d"
              .formatted(slot.name(), bits, maxPoints(bits), maxPoints));
    }
    return new PackedScore(bits, resolution.tick(deadline), resolution);
  }

  /** The fewest bits that count the ticks of a duration down to zero. */
  public static int timeBits(Duration duration, Resolution resolution) {
    return Long.SIZE - Long.numberOfLeadingZeros(resolution.ticks(duration));
  }

  /** The most points that stay exact beside so many bits of time. */
  public static long maxPoints(int timeBits) {
    return timeBits >= EXACT_BITS ? 0 : (1L << (EXACT_BITS - timeBits)) - 1;
  }

  /**
   * The score of a member.
   *
   * @throws IllegalArgumentException if the time lies outside of the period and its grace, or there
   *     are more points than stay exact: either would spill into the other
   */
  public double score(long points, Instant reachedAt) {
    long left = deadline - resolution.tick(reachedAt);
    if (left < 0 || left >> timeBits != 0) {
      throw new IllegalArgumentException(
          "%s is not within the %d bits of time before %s"
              .formatted(reachedAt, timeBits, resolution.instant(deadline)));
    }
    if (points < 0 || points > maxPoints(timeBits)) {
      throw new IllegalArgumentException(
          "%d points are not within 0 and %d".formatted(points, maxPoints(timeBits)));
    }
    return (double) ((points << timeBits) + left);
  }

  public long points(double score) {
    return (long) score >> timeBits;
  }

  /** When the points were reached, cut to the board's resolution. */
  public Instant reachedAt(double score) {
    return resolution.instant(deadline - ((long) score & ((1L << timeBits) - 1)));
  }
}
