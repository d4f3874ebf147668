package palmares.rules.calendar;

import java.time.LocalDate;
import java.time.ZoneId;

/**
 * A period of its own dates.
 *
 * @param name its name
 * @param from its first day
 * @param to its last day, which still belongs to it
 */
public record Season(PeriodName name, LocalDate from, LocalDate to) {

  /**
   * @throws IllegalArgumentException if it has no day that exists in the zone
   */
  Slot slot(ZoneId zone) {
    return new Slot(
        name, from.atStartOfDay(zone).toInstant(), to.plusDays(1).atStartOfDay(zone).toInstant());
  }
}
