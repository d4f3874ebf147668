package palmares.rules.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the dates on which naive calendars fail. */
class RecurringCalendarEdgesTest {

  @ParameterizedTest
  @CsvSource({
    "America/Santiago, 2024-09-08, 2024-09-08T04:00:00Z",
    "Africa/Cairo,     2024-04-26, 2024-04-25T22:00:00Z",
    "Asia/Beirut,      2024-03-31, 2024-03-30T22:00:00Z",
  })
  void aDayWithoutMidnightStartsAtTheClockChangeAndHas23Hours(
      String zone, String day, Instant start) {
    var slot = calendar(PeriodUnit.DAY, zone).named(new PeriodName(day)).orElseThrow();

    assertThat(slot.startsAt()).isEqualTo(start);
    assertThat(slot.length()).isEqualTo(Duration.ofHours(23));
    assertThat(slot.startsAt().atZone(ZoneId.of(zone)).getHour()).isEqualTo(1);
  }

  @Test
  void samoaHadNo30December2011AndTheDaysAroundItTouch() {
    var days = calendar(PeriodUnit.DAY, "Pacific/Apia");

    assertThat(days.named(new PeriodName("2011-12-30"))).isEmpty();
    assertThat(days.named(new PeriodName("2011-12-29")).orElseThrow().endsAt())
        .isEqualTo("2011-12-30T10:00:00Z")
        .isEqualTo(days.named(new PeriodName("2011-12-31")).orElseThrow().startsAt());
    assertThat(days.at(Instant.parse("2011-12-30T10:00:00Z")).orElseThrow().name())
        .hasToString("2011-12-31");
  }

  @Test
  void anEveningRepeatedAfterMidnightBelongsToTheNewDay() {
    // At 00:01 on 7 November 2010 the clocks of St. John's went back to 23:01 on the 6th.
    var days = calendar(PeriodUnit.DAY, "America/St_Johns");
    var midnight = Instant.parse("2010-11-07T02:30:00Z");
    var secondEvening = Instant.parse("2010-11-07T02:45:00Z");

    assertThat(secondEvening.atZone(ZoneId.of("America/St_Johns")).toLocalDate())
        .hasToString("2010-11-06");
    assertThat(days.at(midnight.minusNanos(1)).orElseThrow().name()).hasToString("2010-11-06");
    assertThat(days.at(midnight).orElseThrow().name()).hasToString("2010-11-07");
    assertThat(days.at(secondEvening).orElseThrow().name()).hasToString("2010-11-07");
    assertThat(days.named(new PeriodName("2010-11-07")).orElseThrow().length())
        .isEqualTo(Duration.ofHours(25));
  }

  @ParameterizedTest
  @CsvSource({
    "MONDAY,   2026-01-01T00:00:00Z, 2026-W01, 2025-12-29T00:00:00Z",
    "MONDAY,   2027-01-03T23:59:59Z, 2026-W53, 2026-12-28T00:00:00Z",
    "MONDAY,   2026-11-20T12:00:00Z, 2026-W47, 2026-11-16T00:00:00Z",
    "SUNDAY,   2026-01-03T12:00:00Z, 2025-W53, 2025-12-28T00:00:00Z",
    "SATURDAY, 2026-01-03T12:00:00Z, 2026-W01, 2026-01-03T00:00:00Z",
  })
  void aWeekBelongsToTheYearWithAtLeastFourOfItsDays(
      DayOfWeek weekStart, Instant time, String name, Instant start) {
    var slot =
        Calendars.of(PeriodUnit.WEEK, ZoneId.of("UTC"), weekStart, LocalTime.MIDNIGHT).at(time);

    assertThat(slot.orElseThrow().name()).hasToString(name);
    assertThat(slot.orElseThrow().startsAt()).isEqualTo(start);
  }

  @ParameterizedTest
  @CsvSource({
    "DAY,     2026-11-20, 2026-11-20T05:00:00Z, 2026-11-21T05:00:00Z",
    "MONTH,   2026-11,    2026-11-01T04:00:00Z, 2026-12-01T05:00:00Z",
    "QUARTER, 2026-Q4,    2026-10-01T04:00:00Z, 2027-01-01T05:00:00Z",
    "YEAR,    2026,       2026-01-01T05:00:00Z, 2027-01-01T05:00:00Z",
  })
  void aNameIdentifiesDatesOfTheZone(PeriodUnit unit, String name, Instant from, Instant to) {
    assertThat(calendar(unit, "America/New_York").named(new PeriodName(name)))
        .contains(new Slot(new PeriodName(name), from, to));
  }

  @ParameterizedTest
  @CsvSource({
    "DAY, 2026-02-29",
    "DAY, 2026-2-09",
    "DAY, 20260209",
    "DAY, 2026-11",
    "DAY, 1969-12-31",
    "DAY, 10000-01-01",
    "WEEK, 2026-W7",
    "WEEK, 2026-W00",
    "WEEK, 2025-W53",
    "WEEK, 2026-w07",
    "WEEK, 2026W07",
    "MONTH, 2026-13",
    "MONTH, 2026-00",
    "MONTH, 2026-1",
    "QUARTER, 2026-Q5",
    "QUARTER, 2026-Q0",
    "QUARTER, 2026-q1",
    "YEAR, 26",
    "YEAR, 02026",
    "YEAR, 1969",
    "YEAR, all",
  })
  void aPeriodHasOnlyOneSpelling(PeriodUnit unit, String name) {
    assertThat(calendar(unit, "UTC").named(new PeriodName(name))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "DAY, 9999-12-31",
    "WEEK, 9999-W52",
    "MONTH, 9999-12",
    "QUARTER, 9999-Q4",
    "YEAR, 9999"
  })
  void thereIsNoPeriodAfterTheLast(PeriodUnit unit, String last) {
    var calendar = calendar(unit, "Pacific/Kiritimati");
    var slot = calendar.named(new PeriodName(last)).orElseThrow();

    assertThat(calendar.at(slot.endsAt())).isEmpty();
    assertThat(calendar.startingFrom(slot.endsAt())).isEmpty();
    assertThat(calendar.startingFrom(slot.startsAt())).contains(slot);
    assertThat(calendar.at(Instant.MAX)).isEmpty();
    assertThat(calendar.startingFrom(Instant.MAX)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "DAY, 1970-01-01",
    "WEEK, 1970-W01",
    "MONTH, 1970-01",
    "QUARTER, 1970-Q1",
    "YEAR, 1970"
  })
  void thereIsNoPeriodBeforeTheFirst(PeriodUnit unit, String first) {
    var calendar = calendar(unit, "Pacific/Kiritimati");
    var slot = calendar.named(new PeriodName(first)).orElseThrow();

    assertThat(calendar.at(slot.startsAt().minusNanos(1))).isEmpty();
    assertThat(calendar.startingFrom(Instant.MIN)).contains(slot);
    assertThat(calendar.at(Instant.MIN)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aNameHasTheSameDigitsInEveryLocale(PeriodUnit unit) {
    var before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      var slot = calendar(unit, "Africa/Cairo").at(Instant.parse("2026-11-20T12:00:00Z"));
      assertThat(slot.orElseThrow().name()).hasToString(unit.example());
    } finally {
      Locale.setDefault(before);
    }
  }

  static RecurringCalendar calendar(PeriodUnit unit, String zone) {
    return Calendars.of(unit, zone);
  }
}
