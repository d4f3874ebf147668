package palmares.journal;

import palmares.period.Period;

/** Redis lost events that it had decided: the period cannot be settled from what is left. */
public final class JournalGap extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JournalGap(Period period, long expected, long found) {
    super(
        ("the journal of %s goes on with event %d where %d should follow: Redis lost events;"
                + " nobody is paid from it")
            .formatted(period.label(), found, expected));
  }
}
