package palmares.rules.calendar;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;

/** Makes calendars for tests. */
public final class Calendars {
  private Calendars() {}

  public static RecurringCalendar of(PeriodUnit unit, String zone) {
    return of(unit, ZoneId.of(zone), DayOfWeek.MONDAY, LocalTime.MIDNIGHT);
  }

  static RecurringCalendar of(
      PeriodUnit unit, ZoneId zone, DayOfWeek weekStart, LocalTime startsAt) {
    return new RecurringCalendar(new Cycle.Regular(unit, weekStart), zone, startsAt);
  }
}
