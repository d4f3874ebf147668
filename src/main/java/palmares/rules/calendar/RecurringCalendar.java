package palmares.rules.calendar;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.WeekFields;
import java.util.Optional;

/**
 * A calendar of days, weeks, months, quarters or years in a zone, without gaps, from 1970 to 9999.
 * A period begins at the first instant of its first date, which is not midnight if the clock skips
 * it. A date that a zone has skipped (30 December 2011 in Samoa) has no period.
 *
 * @param unit of its periods
 * @param zone of its dates
 * @param weekStart the first day of a week; a year's first week has at least four of its days, so
 *     Monday gives ISO weeks
 */
public record RecurringCalendar(PeriodUnit unit, ZoneId zone, DayOfWeek weekStart)
    implements Calendar {
  private static final String FIRST_YEAR = "1970";
  private static final Instant FROM = Instant.parse("1969-12-25T00:00:00Z");
  private static final Instant TO = Instant.parse("+10000-01-10T00:00:00Z");

  /** The end of the clock changes that {@link #longest()} considers. */
  private static final Instant LAST_CLOCK_CHANGE = Instant.parse("2100-01-01T00:00:00Z");

  @Override
  public Optional<Slot> at(Instant time) {
    if (time.isBefore(FROM) || time.isAfter(TO)) {
      return Optional.empty();
    }
    var first = unit.firstDay(LocalDate.ofInstant(time, zone), weeks());
    // If clocks are set back past midnight, the end of the old date repeats in the new period.
    while (!time.isBefore(start(unit.plus(first, 1)))) {
      first = unit.plus(first, 1);
    }
    return slot(first);
  }

  @Override
  public Optional<Slot> named(PeriodName name) {
    return unit.parse(name.value(), weeks()).flatMap(this::slot);
  }

  @Override
  public Optional<Slot> startingFrom(Instant time) {
    if (time.isAfter(TO)) {
      return Optional.empty();
    }
    var from = time.isBefore(FROM) ? FROM : time;
    var first = unit.firstDay(LocalDate.ofInstant(from, zone), weeks());
    var end = TO.atOffset(ZoneOffset.UTC).toLocalDate();
    for (; first.isBefore(end); first = unit.plus(first, 1)) {
      if (!start(first).isBefore(time)) {
        var slot = slot(first);
        if (slot.isPresent()) {
          return slot;
        }
      }
    }
    return Optional.empty();
  }

  /** The maximum of the unit's days, and the longest time by which the clocks were set back. */
  @Override
  public Duration longest() {
    return Duration.ofDays(unit.maxDays()).plus(longestSetBack());
  }

  @Override
  public boolean closes() {
    return true;
  }

  @Override
  public String example() {
    return unit.example();
  }

  @Override
  public String kind() {
    return unit.word();
  }

  private Optional<Slot> slot(LocalDate first) {
    var name = unit.name(first, weeks());
    var start = start(first);
    var end = start(unit.plus(first, 1));
    boolean fourDigitYear = name.length() == unit.example().length();
    return fourDigitYear && name.compareTo(FIRST_YEAR) >= 0 && start.isBefore(end)
        ? Optional.of(new Slot(new PeriodName(name), start, end))
        : Optional.empty();
  }

  private Instant start(LocalDate day) {
    return day.atStartOfDay(zone).toInstant();
  }

  private Duration longestSetBack() {
    var longest = Duration.ZERO;
    var rules = zone.getRules();
    var change = rules.nextTransition(FROM);
    while (change != null && change.getInstant().isBefore(LAST_CLOCK_CHANGE)) {
      var setBack = change.getDuration().negated();
      longest = setBack.compareTo(longest) > 0 ? setBack : longest;
      change = rules.nextTransition(change.getInstant());
    }
    return longest;
  }

  private WeekFields weeks() {
    return WeekFields.of(weekStart, 4);
  }
}
