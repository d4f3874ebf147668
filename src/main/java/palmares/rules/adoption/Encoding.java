package palmares.rules.adoption;

import java.time.Duration;

/** A well-known way of putting points, and perhaps a time, into a score of Redis. */
public sealed interface Encoding
    permits PlainPoints, TimeFraction, TicksLeft, DecimalSeconds, AppendedSeconds, SharedRank {

  /** As board files spell it. */
  String word();

  /** Whether its program keeps members, counts and ranks in three keys; else it keeps one ZSET. */
  boolean keepsRanks();

  /** Whether a score tells when its points were reached. */
  default boolean tellsTime() {
    return exactPoints() > 0;
  }

  /**
   * The most points beside which it tells every two ticks of its time apart; 0 if it tells no time.
   */
  long exactPoints();

  /** Whether its room for a time that is left holds so much; true if it counts none down. */
  default boolean holds(Duration left) {
    return true;
  }

  /**
   * What a score says, in exact arithmetic.
   *
   * @throws UndecodableScore if the encoding cannot have given it in this period
   */
  DecodedScore decode(double score, ChangeWindow window);
}
