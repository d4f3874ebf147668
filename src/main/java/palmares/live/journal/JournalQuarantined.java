package palmares.live.journal;

import palmares.period.Period;

/** Thrown when a period has quarantined entries; it is not paid until each is decided on. */
public final class JournalQuarantined extends RuntimeException {
  JournalQuarantined(Period period, long entries, long first, String error) {
    super(
        ("%s: PostgreSQL refused %d of its journal's entries, first number %d (%s); nobody is paid"
                + " until each is released or discarded; 'palmares journal quarantine %s' lists"
                + " them")
            .formatted(period.label(), entries, first, error, period.label()));
  }
}
