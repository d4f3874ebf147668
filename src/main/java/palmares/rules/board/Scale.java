package palmares.rules.board;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What is measured on a board, and how finely. Points and second key make one whole number, the
 * level, of which more is always better: {@code points · 2^thenBits + second key}, where a key of
 * which fewer win counts down from its most.
 *
 * @param maxPoints the most that a member can hold in a period; at least 1
 * @param thenBy the second key; null if there is none
 * @param maxEvents how many events a period may decide, where arrivals break ties; else 0
 * @param resolution how finely it tells times apart
 * @param wide whether the tie stands beside the score, in the ZSET's member, and not inside of it
 */
public record Scale(
    Scoring scoring,
    long maxPoints,
    @Nullable ThenBy thenBy,
    Tiebreak tiebreak,
    long maxEvents,
    TimeResolution resolution,
    boolean wide) {

  /** How many levels one point spans. */
  public long span() {
    return 1L << thenBits();
  }

  int thenBits() {
    return thenBy == null ? 0 : BitBudget.bits(thenBy.max());
  }

  int levelBits() {
    return BitBudget.bits(maxPoints) + thenBits();
  }

  /** Whether fewer of the second key stand before more. */
  public boolean fewestThen() {
    return thenBy != null && thenBy.fewestWin();
  }

  /** The most of the second key; 0 if there is none. */
  public long maxThen() {
    return thenBy == null ? 0 : thenBy.max();
  }

  long level(long points, long then) {
    return (scoring.fewestWin() ? maxPoints - points : points) * span()
        + (fewestThen() ? maxThen() - then : then);
  }

  long points(long level) {
    long counted = level >> thenBits();
    return scoring.fewestWin() ? maxPoints - counted : counted;
  }

  long then(long level) {
    long counted = level & (span() - 1);
    return fewestThen() ? maxThen() - counted : counted;
  }

  /** The better of what two members hold comes first; equal ones share a rank. */
  public Comparator<MemberScore> byLevel() {
    var points = Comparator.comparingLong(MemberScore::points);
    var then = Comparator.comparingLong(MemberScore::thenBy);
    return (scoring.fewestWin() ? points : points.reversed())
        .thenComparing(fewestThen() ? then : then.reversed());
  }

  /** The one order of a board; no two members are equal in it. */
  public Comparator<MemberScore> byPlace() {
    return byLevel()
        .thenComparingLong(MemberScore::arrival)
        .thenComparing(MemberScore::reachedAt, Comparator.nullsLast(Comparator.naturalOrder()))
        .thenComparing(Scale::byBytesDescending);
  }

  private static int byBytesDescending(MemberScore one, MemberScore other) {
    return Arrays.compareUnsigned(
        other.member().getBytes(StandardCharsets.UTF_8),
        one.member().getBytes(StandardCharsets.UTF_8));
  }
}
