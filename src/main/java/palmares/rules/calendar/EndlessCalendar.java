package palmares.rules.calendar;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.stream.Stream;

/**
 * A calendar of one period, named {@code all}, which is never closed. The period has an end,
 * because scores encode the time left until it.
 *
 * @param zone of the dates
 * @param starts the first day
 * @param until the day after the last day; after {@code starts}
 */
public record EndlessCalendar(ZoneId zone, LocalDate starts, LocalDate until)
    implements Calendar.Listed {
  public static final PeriodName ALL = new PeriodName("all");

  /**
   * @throws IllegalArgumentException if {@code until} is not after {@code starts}
   */
  public EndlessCalendar {
    if (!starts.isBefore(until)) {
      throw new IllegalArgumentException(
          "a period from %s cannot last until %s".formatted(starts, until));
    }
  }

  @Override
  public boolean closes() {
    return false;
  }

  @Override
  public String example() {
    return ALL.value();
  }

  @Override
  public String kind() {
    return "none";
  }

  @Override
  public Stream<Slot> slots() {
    return Stream.of(
        new Slot(ALL, starts.atStartOfDay(zone).toInstant(), until.atStartOfDay(zone).toInstant()));
  }
}
