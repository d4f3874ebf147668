package palmares.operations.amendment;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.Revision;
import palmares.settlement.reward.HeldTie;

/**
 * An amendment that is computed, and how it differs from what stands.
 *
 * @param ties those that the rules leave to a person
 * @param decided how they are paid; null if nobody has said so
 */
public record Amendment(
    Period period,
    Revision revision,
    RevisionDifferences differences,
    List<HeldTie> ties,
    @Nullable Ties decided) {
  public Amendment {
    ties = List.copyOf(ties);
  }
}
