package palmares.settlement.reward;

import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.rules.payout.RewardRule.Ties;

/** A person must decide how ties are paid and has not, or has and there are none. */
public final class TiesRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Whoever asks. */
  public TiesRefused(Period period, @Nullable Ties decided) {
    super(
        decided == null
            ? "%s has ties that its rules leave to a person: say how they are paid, by --ties"
                .formatted(period.label())
            : "%s has no ties that its rules leave to a person: leave --ties out"
                .formatted(period.label()));
  }
}
