package palmares.amendment;

import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.exclusion.Exclusion.Terms;
import palmares.exclusion.Exclusions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;

/** What an amendment would change, if it were asked for: computed by the same steps, and undone. */
@Component
public class WhatIf {
  private final TransactionTemplate transaction;
  private final Periods periods;
  private final Drafts drafts;
  private final Exclusions exclusions;

  WhatIf(TransactionTemplate transaction, Periods periods, Drafts drafts, Exclusions exclusions) {
    this.transaction = transaction;
    this.periods = periods;
    this.drafts = drafts;
    this.exclusions = exclusions;
  }

  /**
   * Computes an amendment of a settled period and takes everything back.
   *
   * @param excluded who would be excluded beside those who are
   * @param named how many changes to name
   * @throws AmendmentRefused if the period is not settled, or an amendment of it waits
   */
  public Amendment ask(PeriodId id, Wish wish, List<Terms> excluded, int named) {
    return transaction.execute(
        status -> {
          status.setRollbackOnly();
          Period period = periods.get(id);
          if (!PeriodState.SETTLED.isReachedBy(period.state())) {
            throw new AmendmentRefused(
                "%s is not settled yet: 'palmares preview' shows what it would pay"
                    .formatted(period.label()));
          }
          excluded.forEach(terms -> exclusions.exclude(terms, wish.reason(), wish.by()));
          return drafts.next(period, wish, named);
        });
  }
}
