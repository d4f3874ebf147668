package palmares.amendment;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.payout.RewardRule.Ties;
import palmares.period.Period;
import palmares.revision.Revision;
import palmares.reward.HeldTie;

/**
 * An amendment that is computed, and how it differs from what stands.
 *
 * @param ties those that the rules leave to a person
 * @param decided how they are paid; null if nobody has said so
 */
public record Amendment(
    Period period,
    Revision revision,
    Differences differences,
    List<HeldTie> ties,
    @Nullable Ties decided) {
  public Amendment {
    ties = List.copyOf(ties);
  }
}
