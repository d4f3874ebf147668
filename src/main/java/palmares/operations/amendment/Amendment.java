package palmares.operations.amendment;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.Revision;
import palmares.settlement.reward.HeldTie;

/**
 * A computed revision of a settled period, and how it differs from the current one.
 *
 * @param ties the ties that the rules leave to a person
 * @param decided how these ties are paid; null if nobody has decided
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
