package palmares.operations.amendment;

import java.util.Collection;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.exclusion.KnownMembers;
import palmares.rules.board.MemberId;

/** What an amendment would change, if it were asked for: computed by the same steps, and undone. */
@Component
public class WhatIf {
  private final TransactionTemplate transaction;
  private final Periods periods;
  private final DryRun dryRun;
  private final KnownMembers known;

  WhatIf(TransactionTemplate transaction, Periods periods, DryRun dryRun, KnownMembers known) {
    this.transaction = transaction;
    this.periods = periods;
    this.dryRun = dryRun;
    this.known = known;
  }

  /**
   * Computes an amendment of a settled period and takes everything back. Another that waits is no
   * hindrance.
   *
   * @param hidden who would be hidden beside those who are
   * @param named how many changes to name
   * @throws AmendmentRefused if the period is not settled, or nobody has heard of such a member
   */
  public Amendment ask(
      PeriodId id, AmendmentRequest amendmentRequest, Collection<MemberId> hidden, int named) {
    return transaction.execute(
        status -> {
          status.setRollbackOnly();
          Period period = periods.get(id);
          if (!period.state().isSettled()) {
            throw new AmendmentRefused(
                "%s is not settled yet: 'palmares preview' shows what it would pay"
                    .formatted(period.label()));
          }
          hidden.forEach(this::requireKnown);
          return dryRun.suppose(period, amendmentRequest, hidden, named);
        });
  }

  private void requireKnown(MemberId member) {
    if (!known.knows(member)) {
      throw new AmendmentRefused(
          "there is no member '%s': it has neither registered nor sent an event".formatted(member));
    }
  }
}
