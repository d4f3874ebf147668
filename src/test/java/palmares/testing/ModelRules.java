package palmares.testing;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;

/**
 * What a {@link Model} goes by.
 *
 * @param zone where its days begin
 * @param worth points by action; empty where events bring their value
 * @param scoring as board files spell it
 * @param maxThen the most of the second key; 0 if there is none
 * @param fewest whether fewer of the second key stand first
 * @param arrivals whether arrivals break ties
 * @param oncePer as board files spell it
 * @param maxPerDay 0 for any number
 * @param maxPerPeriod 0 for any number
 */
public record ModelRules(
    ZoneId zone,
    Map<String, Long> worth,
    long maxPoints,
    Duration tick,
    String scoring,
    long maxThen,
    boolean fewest,
    boolean arrivals,
    String oncePer,
    long maxPerDay,
    long maxPerPeriod) {

  /** Points that add up, and nothing special. */
  public static ModelRules adding(Map<String, Long> worth, long maxPoints, Duration tick) {
    return new ModelRules(
        ZoneOffset.UTC, worth, maxPoints, tick, "add", 0, true, false, "subject", 0, 0);
  }
}
