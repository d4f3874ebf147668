package palmares.rules.board;

import java.time.Duration;
import palmares.rules.calendar.Calendar;

/**
 * How the 53 bits in which a double is exact are shared out between ties, second key and points.
 *
 * @param tieBits what the longest period and its grace take, or the events of a period; 0 if the
 *     tie stands beside the score
 * @param thenBits what the second key takes
 */
public record BitBudget(int tieBits, int thenBits) {

  public static BitBudget of(Calendar calendar, Duration grace, Scale scale) {
    return of(calendar.longest().plus(grace), scale);
  }

  static BitBudget of(Duration longest, Scale scale) {
    int tieBits =
        scale.wide()
            ? 0
            : switch (scale.tiebreak()) {
              case TIME -> bits(scale.resolution().ticks(longest));
              case ARRIVAL -> bits(scale.maxEvents());
            };
    return new BitBudget(tieBits, scale.thenBits());
  }

  /** The fewest bits that count down from so many to zero. */
  public static int bits(long most) {
    return Long.SIZE - Long.numberOfLeadingZeros(most);
  }

  /** The bits that are left for points; 0 if the others take them all. */
  public int pointsBits() {
    return Math.max(0, Layout.EXACT_BITS - tieBits - thenBits);
  }

  /** The most points that stay exact; 0 if there is no room for any. */
  public long mostPoints() {
    return (1L << pointsBits()) - 1;
  }
}
