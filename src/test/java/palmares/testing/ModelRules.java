package palmares.testing;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a {@link Model} goes by.
 *
 * @param zone where its days begin
 * @param dayStart how long after midnight they begin
 * @param actions by name
 * @param scoring as board files spell it
 * @param maxThen the most of the second key; 0 if there is none
 * @param fewest whether fewer of the second key stand first
 * @param arrivals whether arrivals break ties
 * @param committed whether events are final before they are applied
 */
public record ModelRules(
    ZoneId zone,
    Duration dayStart,
    Map<String, ActionRule> actions,
    long maxPoints,
    Duration tick,
    String scoring,
    long maxThen,
    boolean fewest,
    boolean arrivals,
    boolean committed) {

  /**
   * What an action is worth, and how often.
   *
   * @param points 0 where events bring their value
   * @param oncePer as board files spell it
   * @param maxPerDay 0 for any number
   * @param maxPerPeriod 0 for any number
   */
  public record ActionRule(
      long points,
      boolean undo,
      long maxQuantity,
      String oncePer,
      long maxPerDay,
      long maxPerPeriod) {
    static ActionRule worth(long points) {
      return new ActionRule(points, true, Long.MAX_VALUE, "subject", 0, 0);
    }

    /** Whether some of it may not count. */
    public boolean isLimited() {
      return !oncePer.equals("event") || maxPerDay + maxPerPeriod > 0;
    }
  }

  /** Points that add up, and nothing special. */
  public static ModelRules adding(Map<String, Long> worth, long maxPoints, Duration tick) {
    Map<String, ActionRule> actions =
        worth.entrySet().stream()
            .collect(
                Collectors.toMap(Map.Entry::getKey, each -> ActionRule.worth(each.getValue())));
    return new ModelRules(
        ZoneOffset.UTC, Duration.ZERO, actions, maxPoints, tick, "add", 0, true, false, false);
  }

  ActionRule action(String name) {
    return actions.getOrDefault(name, ActionRule.worth(0));
  }
}
