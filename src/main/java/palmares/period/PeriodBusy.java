package palmares.period;

import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Reports that another process holds the lease on a period. */
public final class PeriodBusy extends Refusal {
  public PeriodBusy(Period period) {
    super(Problem.PERIOD_BUSY, new PeriodSentences.Busy(period.label()));
  }
}
