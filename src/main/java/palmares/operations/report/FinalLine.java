package palmares.operations.report;

import static palmares.rules.payout.RewardRule.CREDITS;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One member's final line in a settled period.
 *
 * @param place position in the exact order, from 1
 * @param rank the rank by the board's rank method; null if the member is excluded from the ranks,
 *     and so follows all others
 * @param thenBy the second key; 0 on boards without one
 * @param reachedAt null on an adopted board whose scores have no time
 * @param loss why the order among equal members is unknown, on an adopted board; null if it is
 *     known
 * @param nickname null if the member has not registered
 * @param inviteCode null if the member has not registered
 * @param prizes the sum of awards in each currency, by its name and in order of it
 * @param awards the sum of awards by each rule, by the rule's name
 */
public record FinalLine(
    String period,
    long place,
    @Nullable Long rank,
    String member,
    long points,
    long thenBy,
    @Nullable Instant reachedAt,
    @Nullable String loss,
    @Nullable String nickname,
    @Nullable String inviteCode,
    SortedMap<String, Long> prizes,
    Map<String, Long> awards) {
  public FinalLine {
    prizes = Collections.unmodifiableSortedMap(new TreeMap<>(prizes));
    awards = Map.copyOf(awards);
  }

  /** The sum of awards in the currency of that name. */
  public long credits() {
    return prizes.getOrDefault(CREDITS, 0L);
  }

  /** Awards in other currencies, such as {@code 10 gems}; null if none. */
  public @Nullable String otherPrizes() {
    String others =
        prizes.entrySet().stream()
            .filter(prize -> !prize.getKey().equals(CREDITS))
            .map(prize -> prize.getValue() + " " + prize.getKey())
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? null : others;
  }
}
