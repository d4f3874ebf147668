package palmares.settlement.reward;

import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.rules.payout.RewardRule.Ties;

/** Signals that a decision on ties is missing, or that there are no ties to decide. */
public final class TiesRefused extends RuntimeException {
  /**
   * @param decided the superfluous decision; null if it is missing
   */
  public TiesRefused(Period period, @Nullable Ties decided) {
    super(
        decided == null
            ? "%s has ties that its rules leave to a person: add --ties to say how they are paid"
                .formatted(period.label())
            : "%s has no ties that its rules leave to a person: omit --ties"
                .formatted(period.label()));
  }
}
