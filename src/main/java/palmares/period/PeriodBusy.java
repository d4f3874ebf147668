package palmares.period;

/** Reports that another process holds the lease on a period. */
public final class PeriodBusy extends RuntimeException {
  public PeriodBusy(Period period) {
    super(
        "another process is working on %s: try again when it has finished"
            .formatted(period.label()));
  }
}
