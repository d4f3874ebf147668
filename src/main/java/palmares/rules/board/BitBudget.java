package palmares.rules.board;

import java.time.Duration;
import palmares.rules.calendar.Calendar;

/**
 * Divides the 53 bits of an exact double between tie, second key and points.
 *
 * @param tieBits for the ticks of the longest period and its grace, or for the events of a period;
 *     0 in the wide layout
 * @param thenBits for the second key
 */
public record BitBudget(int tieBits, int thenBits) {
  public static BitBudget of(Calendar calendar, Duration grace, Scale scale) {
    return of(calendar.longest().plus(grace), scale);
  }

  static BitBudget of(Duration longest, Scale scale) {
    int tieBits = scale.wide() ? 0 : bits(scale.maxTie(longest));
    return new BitBudget(tieBits, scale.thenBits());
  }

  /** The number of bits that hold values from 0 to the maximum. */
  public static int bits(long max) {
    return Long.SIZE - Long.numberOfLeadingZeros(max);
  }

  /** The remaining bits for points, at least 0. */
  public int pointsBits() {
    return Math.max(0, Layout.EXACT_BITS - tieBits - thenBits);
  }

  /** The largest exact number of points; 0 if no bits remain. */
  public long maxPoints() {
    return (1L << pointsBits()) - 1;
  }
}
