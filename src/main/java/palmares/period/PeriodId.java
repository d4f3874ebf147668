package palmares.period;

/** The primary key of a period's row; never reused. */
public record PeriodId(long value) {
  @Override
  public String toString() {
    return Long.toString(value);
  }
}
