package palmares.platform.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;

/**
 * Divides time into days.
 *
 * @param zone of the dates
 * @param startsAt the time of day at which a day begins
 */
public record Days(ZoneId zone, LocalTime startsAt) {
  /** Days that begin at midnight, or with the first time after it that exists. */
  public static Days of(ZoneId zone) {
    return new Days(zone, LocalTime.MIDNIGHT);
  }

  /** The first time of a day: later than its time of day if the clocks skip that. */
  public Instant start(LocalDate date) {
    LocalDateTime local = date.atTime(startsAt);
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change != null && change.isGap() ? change.getInstant() : local.atZone(zone).toInstant();
  }

  /**
   * The date whose day contains the time. If clocks are set back past the start of a day, the end
   * of the old day repeats in the new one.
   */
  public LocalDate date(Instant time) {
    LocalDate date =
        LocalDateTime.ofInstant(time, zone).minusNanos(startsAt.toNanoOfDay()).toLocalDate();
    LocalDate next = date.plusDays(1);
    return time.isBefore(start(next)) ? date : next;
  }

  /**
   * The starts of the days of a time, in their order. Statements count with them, because
   * PostgreSQL may have other rules of zones.
   *
   * @param to the end, exclusive
   */
  public List<Instant> starts(Instant from, Instant to) {
    return date(from).datesUntil(date(to).plusDays(1)).map(this::start).toList();
  }
}
