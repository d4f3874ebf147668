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
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.IsoFields;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import palmares.rules.calendar.Cycle.Every;
import palmares.rules.calendar.Cycle.Every.Unit;
import palmares.testing.FaultJournal;

/**
 * Laws for each calendar without gaps in every IANA zone, around every change of its clocks from
 * 2018 to 2028; {@code -Dtests.zones=true} is from 2005 to 2035, by the rules that are in force
 * today.
 */
class RecurringCalendarLawTest {
  private static final boolean ALL = Boolean.getBoolean("tests.zones");
  static final int FROM_YEAR = ALL ? 2005 : 2018;
  static final int TO_YEAR = ALL ? 2035 : 2028;
  static final int RANDOM_INSTANTS_PER_ZONE = 40;
  static final long SEED = 20_261_120;
  private static final Instant BEFORE = Instant.parse(FROM_YEAR - 1 + "-01-01T00:00:00Z");

  /** The interesting times of each zone. */
  private static final Map<ZoneId, TreeSet<Instant>> TIMES = times();

  static final LocalDate FROM_DAY = LocalDate.of(2015, 1, 1);
  static final LocalDate TO_DAY = LocalDate.of(2036, 1, 1);

  /** Calendars; days begin at a time that the clocks of some zones skip or repeat. */
  enum Kind {
    HOUR(HourCalendar::new),
    DAY(zone -> regular(PeriodUnit.DAY, zone, LocalTime.MIDNIGHT)),
    DAY_AT_TWO(zone -> regular(PeriodUnit.DAY, zone, LocalTime.of(2, 0))),
    DAY_AT_HALF_PAST_TWO(zone -> regular(PeriodUnit.DAY, zone, LocalTime.of(2, 30))),
    WEEK(zone -> regular(PeriodUnit.WEEK, zone, LocalTime.MIDNIGHT)),
    WEEK_AT_FOUR(zone -> regular(PeriodUnit.WEEK, zone, LocalTime.of(4, 0))),
    MONTH(zone -> regular(PeriodUnit.MONTH, zone, LocalTime.MIDNIGHT)),
    MONTH_AT_NOON(zone -> regular(PeriodUnit.MONTH, zone, LocalTime.NOON)),
    QUARTER(zone -> regular(PeriodUnit.QUARTER, zone, LocalTime.MIDNIGHT)),
    YEAR(zone -> regular(PeriodUnit.YEAR, zone, LocalTime.MIDNIGHT)),
    THREE_DAYS(zone -> every(3, Unit.DAYS, zone)),
    TWO_WEEKS(zone -> every(2, Unit.WEEKS, zone)),
    FIVE_MONTHS(zone -> every(5, Unit.MONTHS, zone));

    private final Function<ZoneId, Calendar> calendar;

    Kind(Function<ZoneId, Calendar> calendar) {
      this.calendar = calendar;
    }

    private static Calendar regular(PeriodUnit unit, ZoneId zone, LocalTime startsAt) {
      return Calendars.of(unit, zone, weekStart(zone), startsAt);
    }

    private static Calendar every(int count, Unit unit, ZoneId zone) {
      return new RecurringCalendar(
          new Every(count, unit, LocalDate.of(2004, 2, 28)), zone, LocalTime.of(0, 30));
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachPeriodEndsWhereTheNextStarts(Kind kind) {
    for (var zone : zones()) {
      var calendar = kind.calendar.apply(zone);
      for (var slot : slots(calendar, zone)) {
        var next = calendar.startingFrom(slot.endsAt()).orElseThrow();
        assertThat(next.startsAt()).as("%s after %s", zone, slot).isEqualTo(slot.endsAt());
        assertThat(calendar.at(slot.endsAt())).contains(next);
        assertThat(calendar.startingFrom(slot.startsAt().plusNanos(1))).contains(next);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void thePeriodAtATimeContainsItAndIsFoundByName(Kind kind) {
    for (var zone : zones()) {
      var calendar = kind.calendar.apply(zone);
      for (var time : Objects.requireNonNull(TIMES.get(zone))) {
        var slot = calendar.at(time).orElseThrow();
        assertThat(slot.contains(time)).as("%s: %s holds %s", zone, slot, time).isTrue();
      }
      for (var slot : slots(calendar, zone)) {
        assertThat(calendar.named(slot.name())).as("%s: %s", zone, slot).contains(slot);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noPeriodIsLongerThanTheLongest(Kind kind) {
    for (var zone : zones()) {
      var calendar = kind.calendar.apply(zone);
      var longest = calendar.longest();
      for (var slot : slots(calendar, zone)) {
        assertThat(slot.length()).as("%s %s", zone, slot).isLessThanOrEqualTo(longest);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void namesAreOrderedByTime(Kind kind) {
    for (var zone : zones()) {
      if (kind == Kind.HOUR && !setsBackByWholeHours(zone)) {
        continue; // An hour occurs again after the one that follows it.
      }
      var calendar = kind.calendar.apply(zone);
      var earlier = "";
      for (var slot : slots(calendar, zone)) {
        var name = slot.name().value();
        assertThat(name).as("%s: %s", zone, slot).isGreaterThan(earlier);
        earlier = name;
      }
    }
  }

  /** Every day of 21 years, in some zones; in every zone with {@code -Dtests.zones=true}. */
  @ParameterizedTest
  @EnumSource
  void periodsFollowEachOtherThroughAllYears(PeriodUnit unit) {
    var lengths = new TreeSet<Duration>();
    for (var zone : ALL ? zones() : someZones()) {
      var calendar = Calendars.of(unit, zone.getId());
      var names = new ArrayList<String>();
      var slot = calendar.at(FROM_DAY.atStartOfDay(zone).toInstant()).orElseThrow();
      while (slot.startsAt().isBefore(TO_DAY.atStartOfDay(zone).toInstant())) {
        var next = calendar.at(slot.endsAt()).orElseThrow();
        assertThat(next.startsAt()).as("%s after %s", zone, slot).isEqualTo(slot.endsAt());
        names.add(slot.name().value());
        lengths.add(slot.length());
        slot = next;
      }
      assertThat(names).as("%s", zone).isEqualTo(names(unit, zone));
    }
    if (unit == PeriodUnit.DAY) {
      assertThat(lengths)
          .contains(
              Duration.ofHours(23),
              Duration.parse("PT23H30M"),
              Duration.ofHours(24),
              Duration.parse("PT24H30M"),
              Duration.ofHours(25));
    }
  }

  /** As {@link #periodsFollowEachOtherThroughAllYears}, of hours, own starts and longer cycles. */
  @ParameterizedTest
  @EnumSource
  void allPeriodsBeginWhereTheClockOnTheWallSays(Kind kind) {
    FaultJournal journal = ALL ? new FaultJournal("zones", "calendars of every zone", SEED) : null;
    long walked = 0;
    try {
      for (var zone : ALL ? zones() : someZones()) {
        walked += walk(kind.calendar.apply(zone), zone);
      }
    } catch (AssertionError e) {
      if (journal != null) {
        journal.note(kind.name(), walked, 0, String.valueOf(e.getMessage()));
      }
      throw e;
    }
    if (journal != null) {
      journal.note(kind.name(), walked, 0, FaultJournal.KEPT);
    }
  }

  /** Returns the number of periods. */
  private static long walk(Calendar calendar, ZoneId zone) {
    long walked = 0;
    Slot slot = calendar.at(FROM_DAY.atStartOfDay(zone).toInstant()).orElseThrow();
    Instant end = (ALL ? TO_DAY : FROM_DAY.plusYears(3)).atStartOfDay(zone).toInstant();
    while (slot.startsAt().isBefore(end)) {
      walked++;
      assertThat(calendar.named(slot.name())).as("%s", zone).contains(slot);
      Instant next =
          calendar instanceof RecurringCalendar days
              ? nextStart(days, slot)
              : nextHour(slot.startsAt(), zone);
      assertThat(slot.endsAt()).as("%s: %s", zone, slot).isEqualTo(next);
      slot = calendar.at(next).orElseThrow();
      assertThat(slot.startsAt()).as("%s: %s", zone, slot).isEqualTo(next);
    }
    return walked;
  }

  /** The first minute after it at which the clock shows a full hour, or another hour. */
  private static Instant nextHour(Instant start, ZoneId zone) {
    int hour = LocalDateTime.ofInstant(start, zone).getHour();
    for (Instant time = start.plusSeconds(60); ; time = time.plusSeconds(60)) {
      LocalDateTime local = LocalDateTime.ofInstant(time, zone);
      if (local.getMinute() == 0 || local.getHour() != hour) {
        return time;
      }
    }
  }

  /** The first time at which the clock has passed the start of a day on which a period begins. */
  private static Instant nextStart(RecurringCalendar calendar, Slot slot) {
    LocalDate first = calendar.cycle().parse(slot.name().value()).orElseThrow();
    LocalDateTime local = calendar.cycle().plus(first, 1).atTime(calendar.startsAt());
    Instant time = local.toInstant(ZoneOffset.UTC).minus(Duration.ofHours(26));
    for (long step = 3_600; step >= 1; step /= 60) {
      while (LocalDateTime.ofInstant(time.plusSeconds(step), calendar.zone()).isBefore(local)) {
        time = time.plusSeconds(step);
      }
    }
    return time.plusSeconds(1);
  }

  /** What a calendar on the wall says. */
  private static List<String> names(PeriodUnit unit, ZoneId zone) {
    return FROM_DAY
        .datesUntil(TO_DAY)
        .filter(day -> day.equals(day.atStartOfDay(zone).toLocalDate()))
        .map(
            day ->
                switch (unit) {
                  case DAY -> day.toString();
                  case WEEK -> day.format(DateTimeFormatter.ISO_WEEK_DATE).substring(0, 8);
                  case MONTH -> YearMonth.from(day).toString();
                  case QUARTER -> day.getYear() + "-Q" + day.get(IsoFields.QUARTER_OF_YEAR);
                  case YEAR -> Year.from(day).toString();
                })
        .distinct()
        .toList();
  }

  /** Midnights that do not exist or come twice, changes by half an hour. */
  private static Collection<ZoneId> someZones() {
    return Stream.of(
            "America/Santiago",
            "America/Havana",
            "Asia/Beirut",
            "Africa/Cairo",
            "Africa/Casablanca",
            "Australia/Lord_Howe",
            "Asia/Pyongyang",
            "Pacific/Apia",
            "Europe/London")
        .map(ZoneId::of)
        .toList();
  }

  private static boolean setsBackByWholeHours(ZoneId zone) {
    return changes(zone).stream()
        .map(change -> zone.getRules().getTransition(LocalDateTime.ofInstant(change, zone)))
        .allMatch(
            change ->
                change == null
                    || change.getDuration().equals(Duration.ofHours(-1))
                        && change.getDateTimeAfter().getMinute() == 0);
  }

  /** The periods of the interesting times, by time. */
  private static Collection<Slot> slots(Calendar calendar, ZoneId zone) {
    var slots = new LinkedHashSet<Slot>();
    Objects.requireNonNull(TIMES.get(zone))
        .forEach(time -> slots.add(calendar.at(time).orElseThrow()));
    return slots;
  }

  /** The zones, each of which has other clocks than all others in these years. */
  static Collection<ZoneId> zones() {
    return TIMES.keySet();
  }

  private static Map<ZoneId, TreeSet<Instant>> times() {
    var zones = new HashMap<List<Object>, ZoneId>();
    ZoneId.getAvailableZoneIds().stream()
        .sorted()
        .map(ZoneId::of)
        .forEach(zone -> zones.putIfAbsent(clocks(zone), zone));
    var times = new TreeMap<ZoneId, TreeSet<Instant>>(Comparator.comparing(ZoneId::getId));
    zones.values().forEach(zone -> times.put(zone, interesting(zone)));
    return times;
  }

  /** The offset before the first year, in which the longest periods begin, and all changes. */
  private static List<Object> clocks(ZoneId zone) {
    ZoneRules rules = zone.getRules();
    var clocks = new ArrayList<Object>();
    clocks.add(rules.getOffset(BEFORE));
    var change = rules.nextTransition(BEFORE);
    while (change != null && change.getDateTimeBefore().getYear() <= TO_YEAR + 1) {
      clocks.add(change);
      change = rules.nextTransition(change.getInstant());
    }
    return clocks;
  }

  /** A first day of the week that depends on the zone, so that all seven are tested. */
  static DayOfWeek weekStart(ZoneId zone) {
    return DayOfWeek.of(1 + Math.floorMod(zone.getId().hashCode(), 7));
  }

  /** Both sides of each change of the clock and of the midnights around it, and random times. */
  private static TreeSet<Instant> interesting(ZoneId zone) {
    var times = new TreeSet<Instant>();
    for (var change : changes(zone)) {
      times.add(change.minusNanos(1));
      times.add(change);
      var date = LocalDate.ofInstant(change, zone);
      for (int day = -1; day <= 2; day++) {
        var midnight = date.plusDays(day).atStartOfDay(zone).toInstant();
        times.add(midnight.minusNanos(1));
        times.add(midnight);
      }
    }
    var from = Year.of(FROM_YEAR).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    var until = Year.of(TO_YEAR + 1).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    var random = new Random(SEED + zone.getId().hashCode());
    for (int i = 0; i < RANDOM_INSTANTS_PER_ZONE; i++) {
      times.add(Instant.ofEpochMilli(random.nextLong(from.toEpochMilli(), until.toEpochMilli())));
    }
    return times;
  }

  private static List<Instant> changes(ZoneId zone) {
    var changes = new ArrayList<Instant>();
    var rules = zone.getRules();
    var change = rules.nextTransition(Instant.parse(FROM_YEAR + "-01-01T00:00:00Z"));
    while (change != null && change.getDateTimeBefore().getYear() <= TO_YEAR) {
      changes.add(change.getInstant());
      change = rules.nextTransition(change.getInstant());
    }
    return changes;
  }
}
