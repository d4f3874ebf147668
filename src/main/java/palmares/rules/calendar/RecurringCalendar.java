package palmares.rules.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import palmares.platform.time.Days;

/**
 * A calendar of periods of whole days in a zone, without gaps, from 1970 to 9999. A period begins
 * at a time of day of its first date, or later if the clock skips that time; of two such times as
 * clocks are set back, at the first. A date that a zone has skipped (30 December 2011 in Samoa) has
 * no period that begins at midnight.
 *
 * @param cycle of its periods
 * @param zone of its dates
 * @param startsAt the time of day at which its days begin
 */
public record RecurringCalendar(Cycle cycle, ZoneId zone, LocalTime startsAt) implements Calendar {
  private static final String FIRST_YEAR = "1970";
  private static final Instant FROM = Instant.parse("1969-12-25T00:00:00Z");
  static final Instant TO = Instant.parse("+10000-01-10T00:00:00Z");

  /** The end of the clock changes that {@link #longest()} considers. */
  private static final Instant LAST_CLOCK_CHANGE = Instant.parse("2100-01-01T00:00:00Z");

  /** Each follows from more than two hundred clock changes, and boards share a few zones. */
  private static final Map<ZoneId, Duration> LONGEST_SET_BACKS = new ConcurrentHashMap<>();

  @Override
  public Optional<Slot> at(Instant time) {
    if (time.isBefore(FROM) || time.isAfter(TO)) {
      return Optional.empty();
    }
    var first = cycle.firstDay(date(time));
    // If clocks are set back past the start, the end of the old date repeats in the new period.
    while (!time.isBefore(start(cycle.plus(first, 1)))) {
      first = cycle.plus(first, 1);
    }
    return slot(first);
  }

  @Override
  public Optional<Slot> named(PeriodName name) {
    return cycle.parse(name.value()).flatMap(this::slot);
  }

  @Override
  public Optional<Slot> startingFrom(Instant time) {
    if (time.isAfter(TO)) {
      return Optional.empty();
    }
    var from = time.isBefore(FROM) ? FROM : time;
    var first = cycle.firstDay(date(from));
    first = first.isBefore(cycle.from()) ? cycle.firstDay(cycle.from()) : first;
    var end = TO.atOffset(ZoneOffset.UTC).toLocalDate();
    for (; first.isBefore(end); first = cycle.plus(first, 1)) {
      if (!start(first).isBefore(time)) {
        var slot = slot(first);
        if (slot.isPresent()) {
          return slot;
        }
      }
    }
    return Optional.empty();
  }

  /** The maximum of the cycle's days, and the longest time by which the clocks were set back. */
  @Override
  public Duration longest() {
    return Duration.ofDays(cycle.maxDays()).plus(longestSetBack(zone));
  }

  @Override
  public String example() {
    return cycle.example();
  }

  @Override
  public String kind() {
    return cycle.kind();
  }

  private Optional<Slot> slot(LocalDate first) {
    var name = cycle.name(first);
    var start = start(first);
    var end = start(cycle.plus(first, 1));
    boolean fourDigitYear = name.length() == cycle.example().length();
    return fourDigitYear
            && name.compareTo(FIRST_YEAR) >= 0
            && !first.isBefore(cycle.from())
            && start.isBefore(end)
        ? Optional.of(new Slot(new PeriodName(name), start, end))
        : Optional.empty();
  }

  /** The date whose day contains the time. */
  private LocalDate date(Instant time) {
    return days().date(time);
  }

  private Instant start(LocalDate day) {
    return days().start(day);
  }

  @Override
  public Days days() {
    return new Days(zone, startsAt);
  }

  static Duration longestSetBack(ZoneId zone) {
    return LONGEST_SET_BACKS.computeIfAbsent(zone, RecurringCalendar::computeLongestSetBack);
  }

  private static Duration computeLongestSetBack(ZoneId zone) {
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
}
