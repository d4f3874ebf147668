package palmares.rules.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palmares.rules.calendar.Cycle.Every;
import palmares.rules.calendar.Cycle.Every.Unit;

/**
 * All periods from 2020 to 2030, in five zones, against a person who looks at the clock on the wall
 * every half hour, since no offset of theirs changes at another time. Days begin when it first
 * shows their start, or a later time.
 */
class CalendarModelTest {
  private static final Instant FROM = Instant.parse("2019-01-01T00:00:00Z");
  private static final Instant CHECKED_FROM = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant TO = Instant.parse("2031-01-03T00:00:00Z");
  private static final Duration LOOK = Duration.ofMinutes(30);
  private static final LocalDate FIRST = LocalDate.of(2018, 10, 28);

  private static final List<LocalTime> STARTS =
      List.of(LocalTime.MIDNIGHT, LocalTime.of(2, 30), LocalTime.of(4, 0));

  /** The calendars whose days begin at a time. */
  private static final class Day {
    private final LocalTime startsAt;
    private final List<Days> calendars;
    private LocalDate present = LocalDate.MIN;

    Day(ZoneId zone, LocalTime startsAt) {
      this.startsAt = startsAt;
      this.calendars = days(zone, startsAt);
    }

    /**
     * @param latest what the clock has shown at the latest: half past eleven may come again after
     *     midnight
     */
    void look(LocalDateTime latest, Instant time) {
      LocalDate date = latest.toLocalDate();
      LocalDate day = latest.toLocalTime().isBefore(startsAt) ? date.minusDays(1) : date;
      if (!day.equals(present)) {
        present = day;
        calendars.forEach(one -> one.walk().begin(one.name().apply(day), time));
      }
    }

    void compare() {
      calendars.forEach(one -> one.walk().compare());
    }
  }

  private record Days(Walk walk, Function<LocalDate, String> name) {}

  private static List<Days> days(ZoneId zone, LocalTime startsAt) {
    return List.of(
        regular(PeriodUnit.DAY, zone, startsAt, LocalDate::toString),
        regular(PeriodUnit.WEEK, zone, startsAt, CalendarModelTest::week),
        regular(PeriodUnit.MONTH, zone, startsAt, day -> YearMonth.from(day).toString()),
        regular(PeriodUnit.QUARTER, zone, startsAt, CalendarModelTest::quarter),
        regular(PeriodUnit.YEAR, zone, startsAt, day -> Year.from(day).toString()),
        every(3, Unit.DAYS, zone, startsAt, day -> day.plusDays(3)),
        every(2, Unit.WEEKS, zone, startsAt, day -> day.plusDays(14)),
        every(5, Unit.MONTHS, zone, startsAt, day -> day.plusMonths(5)));
  }

  private static Days regular(
      PeriodUnit unit, ZoneId zone, LocalTime startsAt, Function<LocalDate, String> name) {
    return new Days(new Walk(Calendars.of(unit, zone, DayOfWeek.MONDAY, startsAt)), name);
  }

  private static String week(LocalDate day) {
    return DateTimeFormatter.ISO_WEEK_DATE.format(day).substring(0, 8);
  }

  private static String quarter(LocalDate day) {
    return day.getYear() + "-Q" + day.get(IsoFields.QUARTER_OF_YEAR);
  }

  private static Days every(
      int count, Unit unit, ZoneId zone, LocalTime startsAt, Function<LocalDate, LocalDate> next) {
    var firsts = new TreeSet<LocalDate>();
    for (LocalDate day = FIRST; day.getYear() < 2032; day = next.apply(day)) {
      firsts.add(day);
    }
    return new Days(
        new Walk(new RecurringCalendar(new Every(count, unit, FIRST), zone, startsAt)),
        day -> String.valueOf(firsts.floor(day)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Europe/Berlin",
        "America/Santiago",
        "Australia/Lord_Howe",
        "Africa/Casablanca",
        "Asia/Shanghai"
      })
  void eachPeriodIsAsTheClockOnTheWallSays(String name) {
    ZoneId zone = ZoneId.of(name);
    List<Day> days = STARTS.stream().map(startsAt -> new Day(zone, startsAt)).toList();
    var hours = new Walk(new HourCalendar(zone));
    var seen = new HashSet<String>();
    LocalDateTime latest = LocalDateTime.MIN;
    int hour = -1;
    for (Instant time = FROM; time.isBefore(TO); time = time.plus(LOOK)) {
      LocalDateTime wall = LocalDateTime.ofInstant(time, zone);
      if (wall.getHour() != hour || wall.getMinute() == 0) {
        hour = wall.getHour();
        hours.begin(hour(wall, seen), time);
      }
      latest = wall.isAfter(latest) ? wall : latest;
      for (Day day : days) {
        day.look(latest, time);
      }
    }
    hours.compare();
    days.forEach(Day::compare);
  }

  /** An hour that comes again has another name. */
  private static String hour(LocalDateTime wall, Set<String> seen) {
    String hour = wall.toString().substring(0, 13);
    return seen.add(hour) ? hour : hour + "b";
  }

  /** The periods of a calendar that a person has seen begin. */
  private static final class Walk {
    private final Calendar calendar;
    private final List<Slot> slots = new ArrayList<>();
    private String name = "";
    private Instant start = Instant.MIN;

    Walk(Calendar calendar) {
      this.calendar = calendar;
    }

    void begin(String next, Instant time) {
      if (!next.equals(name)) {
        if (!start.isBefore(CHECKED_FROM)) {
          slots.add(new Slot(new PeriodName(name), start, time));
        }
        name = next;
        start = time;
      }
    }

    void compare() {
      List<Slot> all =
          Stream.iterate(
                  calendar.at(slots.get(0).startsAt()).orElseThrow(),
                  slot -> calendar.at(slot.endsAt()).orElseThrow())
              .limit(slots.size())
              .toList();
      assertThat(all).as("%s", calendar).hasSizeGreaterThan(9).isEqualTo(slots);
      assertThat(all).as("%s by name", calendar).filteredOn(slot -> !isFound(slot)).isEmpty();
    }

    /** Of a hundred thousand hours, those whose clocks change are looked for by another law. */
    private boolean isFound(Slot slot) {
      return calendar instanceof HourCalendar
          || calendar.named(slot.name()).equals(Optional.of(slot));
    }
  }
}
