package palmares.operations.report;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.rules.payout.Sums;

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
 * @param prizes the sum of awards in each currency
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
    Sums prizes,
    Map<String, Long> awards) {
  public FinalLine {
    awards = Map.copyOf(awards);
  }
}
