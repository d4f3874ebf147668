package palmares.live.journal;

import palmares.period.Period;

/** Entries of a journal are quarantined: the period is not paid until a person decides on each. */
public final class JournalQuarantined extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JournalQuarantined(Period period, long entries, long first, String error) {
    super(
        ("%s: PostgreSQL refused %d of its journal's entries, first number %d (%s); nobody is paid"
                + " until a person decides: 'palmares journal quarantine %s' lists them")
            .formatted(period.label(), entries, first, error, period.label()));
  }
}
