package palmares.journal;

import palmares.period.Period;

/** Redis lost events that it had decided: the period cannot be settled from what is left. */
public final class JournalGap extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private JournalGap(String message) {
    super(message);
  }

  static JournalGap between(Period period, long expected, long found) {
    return new JournalGap(
        ("the journal of %s goes on with event %d where %d should follow: Redis lost events;"
                + " nobody is paid from it")
            .formatted(period.label(), found, expected));
  }

  static JournalGap other(Period period, long seq, String redis, String stored) {
    return new JournalGap(
        ("event %d of %s is '%s' in Redis and '%s' in PostgreSQL: Redis went back to an earlier"
                + " state; nobody is paid from it, and nothing of its journal is dropped")
            .formatted(seq, period.label(), redis, stored));
  }
}
