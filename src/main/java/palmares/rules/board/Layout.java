package palmares.rules.board;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import palmares.rules.calendar.Slot;

/**
 * How what a member holds stands in one line of a ZSET, so that Redis itself keeps the one order. A
 * tie is what is left of a countdown, so that more is earlier: of ticks until the deadline, or of
 * events until the last that the period may decide.
 *
 * <ul>
 *   <li>Packed: the score is {@code level · 2^tieBits + left}, the line's name is the member.
 *   <li>Wide: the score is the level, the line's name is what is left in 16 digits and the member.
 * </ul>
 *
 * Both are exact as long as the score stays within the 53 bits of a double, which {@link #of} makes
 * sure of.
 *
 * @param tieBits how many bits of the score the tie takes; 0 if it stands beside it
 * @param horizon the tick of the deadline, or the number of the last event: where none is left
 */
public record Layout(Scale scale, int tieBits, long horizon) {
  /** A double holds whole numbers exactly up to 2 to this power. */
  public static final int EXACT_BITS = 53;

  /** So many digits of a wide line's name come before the member. */
  public static final int TIE_DIGITS = 16;

  /**
   * The layout for a period: the fewest bits that hold its ties.
   *
   * @throws IllegalArgumentException if the levels do not fit into the bits that are left
   */
  public static Layout of(Slot slot, Duration grace, Scale scale) {
    Instant deadline = slot.endsAt().plus(grace);
    Duration longest = Duration.between(slot.startsAt(), deadline);
    var budget = BitBudget.of(longest, scale);
    if (scale.levelBits() > EXACT_BITS - budget.tieBits()) {
      throw new IllegalArgumentException(
          "period %s takes %d bits of ties, which leaves room for %d points, not for %d"
              .formatted(slot.name(), budget.tieBits(), budget.mostPoints(), scale.maxPoints()));
    }
    long horizon =
        switch (scale.tiebreak()) {
          case TIME -> scale.resolution().tick(deadline);
          case ARRIVAL -> scale.maxEvents();
        };
    return new Layout(scale, budget.tieBits(), horizon);
  }

  /** How much of a score is one level. */
  public long unit() {
    return 1L << tieBits;
  }

  /**
   * The score of what a member holds.
   *
   * @param tie the tick at which it was reached, or the number of the event that brought it
   * @throws IllegalArgumentException if the points, the second key or the tie are not within their
   *     bounds: one would spill into the other
   */
  public double score(long points, long then, long tie) {
    requireWithin("points", points, scale.maxPoints());
    requireWithin("of the second key", then, scale.maxThen());
    long level = scale.level(points, then);
    return scale.wide() ? level : (double) ((level << tieBits) + left(tie));
  }

  /** The name of the ZSET's line. */
  public String line(String member, long tie) {
    return scale.wide() ? String.format(Locale.ROOT, "%016d%s", left(tie), member) : member;
  }

  /** Points and second key in one number: members with equal ones share a rank. */
  public long level(double score) {
    return (long) score >> tieBits;
  }

  /** What a line of the ZSET says. */
  public MemberScore holding(String line, double score) {
    long level = level(score);
    long left = scale.wide() ? Long.parseLong(line, 0, TIE_DIGITS, 10) : leftIn(score);
    long tie = horizon - left;
    String member = scale.wide() ? line.substring(TIE_DIGITS) : line;
    long points = scale.points(level);
    long then = scale.then(level);
    return switch (scale.tiebreak()) {
      case TIME -> new MemberScore(member, points, then, 0, scale.resolution().instant(tie));
      case ARRIVAL -> new MemberScore(member, points, then, tie, null);
    };
  }

  private long leftIn(double score) {
    return (long) score & (unit() - 1);
  }

  private long left(long tie) {
    long left = horizon - tie;
    long most = scale.wide() ? (1L << EXACT_BITS) - 1 : unit() - 1;
    if (left < 0 || left > most) {
      throw new IllegalArgumentException(
          "%s is not within the %d before %s".formatted(name(tie), most, name(horizon)));
    }
    return left;
  }

  private @Nullable Object name(long tie) {
    return switch (scale.tiebreak()) {
      case TIME -> scale.resolution().instant(tie);
      case ARRIVAL -> "event " + tie;
    };
  }

  private static void requireWithin(String what, long value, long most) {
    if (value < 0 || value > most) {
      throw new IllegalArgumentException(
          "%d %s are not within 0 and %d".formatted(value, what, most));
    }
  }
}
