package palmares.rules.board;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;

/**
 * Says how a board measures points and orders members. Points and second key form one integer, the
 * level, of which more is better: {@code points · 2^thenBits + second key}. Whichever of the two
 * the fewest win is subtracted from its maximum.
 *
 * @param maxPoints of a member in a period; at least 1
 * @param thenBy the second key; null if there is none
 * @param maxEvents of a period, if arrivals break ties; else 0
 * @param resolution of the times that break ties
 * @param wide whether the tie is in the ZSET's member instead of its score
 */
public record Scale(
    Scoring scoring,
    long maxPoints,
    @Nullable ThenBy thenBy,
    Tiebreak tiebreak,
    long maxEvents,
    TimeResolution resolution,
    boolean wide) {
  /** Why the other of two members with equal levels has another place. */
  interface ScaleSentences {
    record Arrived(boolean isLater) implements Sentence {}

    record Reached(long points, boolean isLater, ZonedDateTime at) implements Sentence {}

    record SameTime() implements Sentence {}
  }

  /** After all periods; from 1970 to here, the number of microseconds is exact in a double. */
  private static final Instant LAST_WIDE = Instant.parse("2255-01-01T00:00:00Z");

  /** The number of levels per point. */
  public long span() {
    return 1L << thenBits();
  }

  int thenBits() {
    return thenBy == null ? 0 : BitBudget.bits(thenBy.max());
  }

  int levelBits() {
    return BitBudget.bits(maxPoints) + thenBits();
  }

  public boolean fewestThen() {
    return thenBy != null && thenBy.fewestWin();
  }

  /** The maximum of the second key; 0 if there is none. */
  public long maxThen() {
    return thenBy == null ? 0 : thenBy.max();
  }

  long level(long points, long then) {
    return (scoring.fewestWin() ? maxPoints - points : points) * span()
        + (fewestThen() ? maxThen() - then : then);
  }

  long points(long level) {
    long stored = level >> thenBits();
    return scoring.fewestWin() ? maxPoints - stored : stored;
  }

  long then(long level) {
    long stored = level & (span() - 1);
    return fewestThen() ? maxThen() - stored : stored;
  }

  /** Orders the better level first; members with equal levels share a rank. */
  public Comparator<MemberScore> byLevel() {
    var points = Comparator.comparingLong(MemberScore::points);
    var then = Comparator.comparingLong(MemberScore::thenBy);
    return (scoring.fewestWin() ? points : points.reversed())
        .thenComparing(fewestThen() ? then : then.reversed());
  }

  /** Orders members by place; no two members are equal. */
  public Comparator<MemberScore> byPlace() {
    return byLevel()
        .thenComparingLong(MemberScore::arrival)
        .thenComparing(MemberScore::reachedAt, Comparator.nullsLast(Comparator.naturalOrder()))
        .thenComparing(Scale::byDescendingBytes);
  }

  /** The largest tie in a period of this length: the number of its ticks, or of its events. */
  long maxTie(Duration longest) {
    return switch (tiebreak) {
      case TIME -> resolution.ticks(longest);
      case ARRIVAL -> maxEvents;
    };
  }

  /** The last tie that a period's entries can hold, wherever it ends: a tick, or its last event. */
  long lastTie(Instant startsAt, int tieBits) {
    return switch (tiebreak) {
      case TIME ->
          wide ? resolution.tick(LAST_WIDE) : resolution.tick(startsAt) + (1L << tieBits) - 1;
      case ARRIVAL -> maxEvents;
    };
  }

  MemberScore line(String member, long points, long then, long tie) {
    return switch (tiebreak) {
      case TIME -> new MemberScore(member, points, then, 0, resolution.instant(tie));
      case ARRIVAL -> new MemberScore(member, points, then, tie, null);
    };
  }

  String describeTie(long tie) {
    return switch (tiebreak) {
      case TIME -> String.valueOf(resolution.instant(tie));
      case ARRIVAL -> "event " + tie;
    };
  }

  /** Why the other of two members with equal levels has another place. */
  public Sentence explainTie(MemberScore line, MemberScore other, ZoneId zone) {
    boolean isLater = byPlace().compare(line, other) < 0;
    if (tiebreak.byArrival() && line.arrival() != other.arrival()) {
      return new ScaleSentences.Arrived(isLater);
    }
    Instant reachedAt = other.reachedAt();
    return reachedAt == null || reachedAt.equals(line.reachedAt())
        ? new ScaleSentences.SameTime()
        : new ScaleSentences.Reached(other.points(), isLater, reachedAt.atZone(zone));
  }

  /** Whether a line has the sum of its events, and the time of the latest one. */
  public boolean addsUpToLatestTime() {
    return switch (tiebreak) {
      case TIME -> scoring == Scoring.ADD;
      case ARRIVAL -> false;
    };
  }

  private static int byDescendingBytes(MemberScore one, MemberScore other) {
    return Arrays.compareUnsigned(
        other.member().getBytes(StandardCharsets.UTF_8),
        one.member().getBytes(StandardCharsets.UTF_8));
  }

  /** Says what orders members with equal points. */
  public enum Tiebreak implements Choice {
    /** When they reached the points, at the board's resolution; then the member's id. */
    TIME,
    /** The order in which their latest changes arrived, also within one tick. */
    ARRIVAL;

    /** Whether it is a number that events get as they arrive, rather than their time. */
    public boolean byArrival() {
      return switch (this) {
        case TIME -> false;
        case ARRIVAL -> true;
      };
    }
  }

  /** Says how an event changes a member's points. */
  public enum Scoring implements Choice {
    /** It adds its action's points. */
    ADD,
    /** Its value becomes the member's points if it is greater: the most win. */
    BEST,
    /** Its value becomes the member's points: the most win. */
    LATEST,
    /** Its value becomes the member's points if it is less: the fewest win, as times in a race. */
    LOWEST_BEST;

    /** Whether events carry values, and actions have no points. */
    public boolean takesValues() {
      return switch (this) {
        case ADD -> false;
        case BEST, LATEST, LOWEST_BEST -> true;
      };
    }

    /** Whether fewer points are better. */
    public boolean fewestWin() {
      return switch (this) {
        case ADD, BEST, LATEST -> false;
        case LOWEST_BEST -> true;
      };
    }
  }

  /**
   * A second key, which orders members with equal points before the tiebreak does: for example
   * fewer attempts.
   *
   * @param name 1 to 40 lower-case letters, digits and hyphens
   * @param max of a member in a period; at least 1
   * @param fewestWin whether fewer are better
   */
  public record ThenBy(String name, long max, boolean fewestWin) {}
}
