package palmares.period;

import palmares.platform.Refusal;

/** Reports that another process holds the lease on a period. */
public final class PeriodBusy extends Refusal {
  public PeriodBusy(Period period) {
    super(
        Reason.PERIOD_BUSY,
        "another process is working on %s: try again when it has finished"
            .formatted(period.label()));
  }
}
