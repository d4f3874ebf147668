package palmares.period;

/** Reports that another process holds the lease on a period. */
public final class PeriodBusy extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PeriodBusy(Period period) {
    super(
        "another process is working on %s: try again when it has finished"
            .formatted(period.label()));
  }
}
