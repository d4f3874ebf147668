package palmares.operations.report;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One member's final line in a settled period.
 *
 * @param place position in the one exact order, from 1
 * @param rank what the board's rank method makes of it; null if the member is excluded from the
 *     ranks, and so stands behind all others
 * @param thenBy the second key; 0 on boards without one
 * @param reachedAt null on an adopted board whose scores tell no time
 * @param credits what it was awarded in the currency of that name
 * @param loss why the order among its equals is not known, on an adopted board; null if it is
 * @param nickname null if the member has not registered
 * @param inviteCode as the nickname
 * @param otherPrizes what it was awarded in other currencies; null if nothing
 * @param awards what it was awarded, by the names of the rules
 */
public record FinalLine(
    String period,
    long place,
    @Nullable Long rank,
    String member,
    long points,
    long thenBy,
    @Nullable Instant reachedAt,
    long credits,
    @Nullable String loss,
    @Nullable String nickname,
    @Nullable String inviteCode,
    @Nullable String otherPrizes,
    Map<String, Long> awards) {
  public FinalLine {
    awards = Map.copyOf(awards);
  }
}
