package palmares.rules.board;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import palmares.rules.calendar.Slot;

/**
 * Encodes a member's score as an entry of a ZSET, so that Redis orders members by place. A tie is
 * encoded as the remainder of a countdown, so that earlier is greater: the ticks until the last one
 * that the entry can hold, or the events until the last one that the period allows. Neither depends
 * on the period's end, so that a period which is extended keeps its entries.
 *
 * <ul>
 *   <li>Packed: the ZSET's score is {@code level · 2^tieBits + remainder}, its member is the
 *       member.
 *   <li>Wide: the ZSET's score is the level, its member is the remainder in 16 digits and the
 *       member.
 * </ul>
 *
 * Both are exact while the ZSET's score fits into the 53 bits of a double, which {@link #of}
 * checks.
 *
 * @param tieBits the bits of the remainder in the ZSET's score; 0 in the wide layout
 * @param horizon the last tick, or the number of the last event, whose remainder is 0
 */
public record Layout(Scale scale, int tieBits, long horizon) {
  /** A double represents all integers up to 2 to this power exactly. */
  public static final int EXACT_BITS = 53;

  /** The number of digits in front of the member in the wide layout. */
  public static final int TIE_DIGITS = 16;

  /**
   * Returns the layout for a period, with the fewest bits that hold its ties.
   *
   * @throws IllegalArgumentException if the levels do not fit into the remaining bits
   */
  public static Layout of(Slot slot, Duration grace, Scale scale) {
    var budget = BitBudget.of(slot.length().plus(grace), scale);
    if (scale.levelBits() > EXACT_BITS - budget.tieBits()) {
      throw new IllegalArgumentException(
          "period %s needs %d bits for ties, which leaves room for %d points, not for %d"
              .formatted(slot.name(), budget.tieBits(), budget.maxPoints(), scale.maxPoints()));
    }
    return new Layout(scale, budget.tieBits(), scale.lastTie(slot.startsAt(), budget.tieBits()));
  }

  /** The latest end and grace that a period with these entries can get. */
  public Instant latestDeadline() {
    return scale.tiebreak().byArrival() ? Instant.MAX : scale.resolution().instant(horizon);
  }

  /** The distance of two levels in the ZSET's score. */
  public long unit() {
    return 1L << tieBits;
  }

  /**
   * Encodes the ZSET's score.
   *
   * @param tie the tick at which the points were reached, or the number of the event that did so
   * @throws IllegalArgumentException if the points, the second key or the tie are out of range, and
   *     would change each other's bits
   */
  public double score(long points, long then, long tie) {
    requireWithin("points", points, scale.maxPoints());
    requireWithin("of the second key", then, scale.maxThen());
    long level = scale.level(points, then);
    return scale.wide() ? level : (double) ((level << tieBits) + remainder(tie));
  }

  /** Encodes the ZSET's member. */
  public String entry(String member, long tie) {
    return scale.wide() ? String.format(Locale.ROOT, "%016d%s", remainder(tie), member) : member;
  }

  /** Points and second key in one number; members with equal levels share a rank. */
  public long level(double score) {
    return (long) score >> tieBits;
  }

  /** Decodes an entry of the ZSET. */
  public MemberScore decode(String entry, double score) {
    long level = level(score);
    long remainder = scale.wide() ? Long.parseLong(entry, 0, TIE_DIGITS, 10) : remainderIn(score);
    long tie = horizon - remainder;
    String member = scale.wide() ? entry.substring(TIE_DIGITS) : entry;
    return scale.line(member, scale.points(level), scale.then(level), tie);
  }

  private long remainderIn(double score) {
    return (long) score & (unit() - 1);
  }

  private long remainder(long tie) {
    long remainder = horizon - tie;
    long max = scale.wide() ? (1L << EXACT_BITS) - 1 : unit() - 1;
    if (remainder < 0 || remainder > max) {
      throw new IllegalArgumentException(
          "%s is not within the %d before %s"
              .formatted(scale.describeTie(tie), max, scale.describeTie(horizon)));
    }
    return remainder;
  }

  private static void requireWithin(String what, long value, long max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(
          "%d %s are not within 0 and %d".formatted(value, what, max));
    }
  }
}
