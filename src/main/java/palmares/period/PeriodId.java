package palmares.period;

/** The row that a period is; given by the database, never reused. */
public record PeriodId(long value) {
  @Override
  public String toString() {
    return Long.toString(value);
  }
}
