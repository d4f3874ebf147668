package palmares.journal;

import palmares.period.Period;

/** Redis lost events that it had decided: the period cannot be settled from what is left. */
public final class JournalGap extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean wentBack;

  private JournalGap(String message, boolean wentBack) {
    super(message);
    this.wentBack = wentBack;
  }

  /**
   * Whether PostgreSQL has what Redis lost, so that the live board can be made anew; else events
   * are in neither.
   */
  public boolean wentBack() {
    return wentBack;
  }

  static JournalGap between(Period period, long expected, long found) {
    return new JournalGap(
        ("the journal of %s goes on with event %d where %d should follow: Redis lost events;"
                + " nobody is paid from it")
            .formatted(period.label(), found, expected),
        false);
  }

  /** What Redis has decided reaches further than what it and PostgreSQL have. */
  public static JournalGap behind(Period period, long reached, long decided) {
    return new JournalGap(
        ("%s: the live board counts %d events, and only %d are to be had: the others would be lost,"
                + " so it is left as it is")
            .formatted(period.label(), decided, reached),
        false);
  }

  static JournalGap other(Period period, long seq, String redis, String stored) {
    return new JournalGap(
        ("event %d of %s is '%s' in Redis and '%s' in PostgreSQL: Redis went back to an earlier"
                + " state; nobody is paid from it, and nothing of its journal is dropped%s")
            .formatted(seq, period.label(), redis, stored, remedy(period)),
        true);
  }

  private static String remedy(Period period) {
    return "; 'palmares rebuild %s --replace' makes the live board anew".formatted(period.label());
  }
}
