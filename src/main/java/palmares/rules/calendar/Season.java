package palmares.rules.calendar;

import java.time.LocalDate;
import java.time.ZoneId;

/**
 * A period with explicit dates.
 *
 * @param name of the period
 * @param from the first day
 * @param to the last day, inclusive
 */
public record Season(PeriodName name, LocalDate from, LocalDate to) {

  /**
   * @throws IllegalArgumentException if none of its days exists in the zone
   */
  Slot slot(ZoneId zone) {
    return new Slot(
        name, from.atStartOfDay(zone).toInstant(), to.plusDays(1).atStartOfDay(zone).toInstant());
  }
}
