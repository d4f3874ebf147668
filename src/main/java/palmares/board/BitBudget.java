package palmares.board;

import java.time.Duration;
import palmares.calendar.Calendar;

/**
 * How the 53 bits in which a double is exact are shared out between time and points.
 *
 * @param timeBits what the longest period and its grace take
 */
public record BitBudget(int timeBits) {

  public static BitBudget of(Calendar calendar, Duration grace, Resolution resolution) {
    return new BitBudget(PackedScore.timeBits(calendar.longest().plus(grace), resolution));
  }

  /** The bits that are left for points; 0 if time takes them all. */
  public int pointsBits() {
    return Math.max(0, PackedScore.EXACT_BITS - timeBits);
  }

  /** The most points that stay exact; 0 if time takes all bits. */
  public long mostPoints() {
    return PackedScore.maxPoints(timeBits);
  }
}
