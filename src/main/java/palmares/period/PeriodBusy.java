package palmares.period;

/** Somebody else works on the period just now. */
public final class PeriodBusy extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PeriodBusy(Period period) {
    super(
        "%s is held by another process, which works on it: try again when that has ended"
            .formatted(period.label()));
  }
}
