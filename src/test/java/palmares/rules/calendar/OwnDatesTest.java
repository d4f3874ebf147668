package palmares.rules.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palmares.rules.calendar.Cycle.Every;
import palmares.rules.calendar.Cycle.Every.Unit;
import palmares.rules.calendar.SeasonCalendar.Edge;
import palmares.rules.calendar.SeasonCalendar.Season;

/** Tests seasons and the endless calendar. */
class OwnDatesTest {
  static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  static final Season SPRING = season("spring-2026", "2026-02-17", "2026-03-03");
  static final Season AUTUMN = season("autumn-2026", "2026-09-25", "2026-10-08");
  static final SeasonCalendar SEASONS = new SeasonCalendar(SHANGHAI, List.of(SPRING, AUTUMN));

  @Test
  void aSeasonLastsFromItsFirstDayToTheEndOfItsLast() {
    assertThat(SEASONS.named(SPRING.name()))
        .contains(
            new Slot(
                SPRING.name(),
                Instant.parse("2026-02-16T16:00:00Z"),
                Instant.parse("2026-03-03T16:00:00Z")));
    assertThat(SEASONS.longest()).isEqualTo(Duration.ofDays(15));
  }

  @Test
  void aSeasonMayBeginAndEndAtATimeOfDay() {
    var night =
        new Season(
            new PeriodName("night"),
            Edge.parse("2026-11-20T18:00"),
            Edge.parse("2026-11-21T06:30"));
    assertThat(new SeasonCalendar(SHANGHAI, List.of(night)).slots())
        .containsExactly(
            new Slot(
                night.name(),
                Instant.parse("2026-11-20T10:00:00Z"),
                Instant.parse("2026-11-20T22:30:00Z")));
  }

  @Test
  void severalDaysWeeksOrMonthsBeginOnTheirFirstDay() {
    assertThat(every(3, Unit.DAYS, "2026-02-27"))
        .containsExactly("2026-02-27", "2026-03-02", "2026-03-05");
    assertThat(every(2, Unit.WEEKS, "2026-12-21"))
        .containsExactly("2026-12-21", "2027-01-04", "2027-01-18");
    assertThat(every(2, Unit.MONTHS, "2026-12-28"))
        .containsExactly("2026-12-28", "2027-02-28", "2027-04-28");
    var calendar =
        new RecurringCalendar(
            new Every(2, Unit.WEEKS, LocalDate.parse("2026-12-21")), SHANGHAI, LocalTime.of(4, 0));
    assertThat(calendar.at(Instant.parse("2026-12-20T19:59:59Z"))).as("before the first").isEmpty();
    var months =
        new RecurringCalendar(
            new Every(1, Unit.MONTHS, LocalDate.parse("2027-01-15")), SHANGHAI, LocalTime.MIDNIGHT);
    for (String before : List.of("2026-11-20", "2026-12-14", "2026-12-20", "2027-01-14")) {
      assertThat(months.at(Instant.parse(before + "T12:00:00Z"))).as(before).isEmpty();
    }
    assertThat(months.at(Instant.parse("2027-02-14T12:00:00Z")).orElseThrow().name())
        .isEqualTo(new PeriodName("2027-01-15"));
    assertThat(calendar.named(new PeriodName("2026-12-28"))).as("in the middle of one").isEmpty();
    assertThat(calendar.named(new PeriodName("2026-12-07"))).as("before the first").isEmpty();
    assertThat(calendar.at(Instant.parse("2027-01-03T20:00:00Z")).orElseThrow().name())
        .isEqualTo(new PeriodName("2027-01-04"));
  }

  private static List<String> every(int count, Unit unit, String from) {
    var calendar =
        new RecurringCalendar(
            new Every(count, unit, LocalDate.parse(from)), SHANGHAI, LocalTime.MIDNIGHT);
    var names = new ArrayList<String>();
    var slot = calendar.startingFrom(Instant.EPOCH);
    while (names.size() < 3) {
      names.add(slot.orElseThrow().name().value());
      slot = calendar.startingFrom(slot.orElseThrow().endsAt());
    }
    return names;
  }

  @Test
  void anHourThatOccursTwiceIsTwoPeriods() {
    var hours = new HourCalendar(ZoneId.of("Europe/Berlin"));
    assertThat(names(hours, "2026-10-24T23:30:00Z", 5))
        .containsExactly(
            "2026-10-25T01", "2026-10-25T02", "2026-10-25T02b", "2026-10-25T03", "2026-10-25T04");
    assertThat(names(hours, "2026-03-29T00:30:00Z", 3))
        .as("the clocks skip an hour")
        .containsExactly("2026-03-29T01", "2026-03-29T03", "2026-03-29T04");
    assertThat(hours.named(new PeriodName("2026-03-29T02"))).isEmpty();
    assertThat(hours.named(new PeriodName("2026-03-29T03b"))).isEmpty();
    assertThat(hours.named(new PeriodName("2026-03-29T24"))).isEmpty();
  }

  /** Clocks of Lord Howe go back by half an hour, at two. */
  @Test
  void anHourOfWhichAPartOccursTwiceIsLonger() {
    var hours = new HourCalendar(ZoneId.of("Australia/Lord_Howe"));
    var longer = hours.at(Instant.parse("2026-04-04T14:45:00Z")).orElseThrow();
    assertThat(longer.name()).isEqualTo(new PeriodName("2026-04-05T01"));
    assertThat(longer.length()).isEqualTo(Duration.ofMinutes(90));
    assertThat(hours.longest()).isGreaterThanOrEqualTo(longer.length());
  }

  private static List<String> names(HourCalendar hours, String from, int count) {
    return Stream.iterate(
            hours.at(Instant.parse(from)).orElseThrow(),
            slot -> hours.at(slot.endsAt()).orElseThrow())
        .limit(count)
        .map(slot -> slot.name().value())
        .toList();
  }

  @Test
  void thereIsNoPeriodBetweenSeasons() {
    var end = SEASONS.named(SPRING.name()).orElseThrow().endsAt();

    assertThat(SEASONS.at(end.minusNanos(1)).orElseThrow().name()).isEqualTo(SPRING.name());
    assertThat(SEASONS.at(end)).isEmpty();
    assertThat(SEASONS.startingFrom(end).orElseThrow().name()).isEqualTo(AUTUMN.name());
    assertThat(SEASONS.startingFrom(Instant.parse("2027-01-01T00:00:00Z"))).isEmpty();
  }

  @Test
  void seasonsThatOverlapShareANameOrAreEmptyAreRefused() {
    var sameDay = season("late-spring", "2026-03-03", "2026-03-09");
    var twice = season("spring-2026", "2026-05-01", "2026-05-02");
    var backwards = season("backwards", "2026-06-02", "2026-05-31");

    assertThatThrownBy(() -> new SeasonCalendar(SHANGHAI, List.of(SPRING, sameDay)))
        .hasMessageContaining("season late-spring begins before the one above it has ended");
    assertThatThrownBy(() -> new SeasonCalendar(SHANGHAI, List.of(SPRING, twice)))
        .hasMessageContaining("two seasons are named spring-2026");
    assertThatThrownBy(() -> new SeasonCalendar(SHANGHAI, List.of(backwards)))
        .hasMessageContaining("period backwards ends at");
    assertThatThrownBy(() -> new SeasonCalendar(SHANGHAI, List.of()))
        .hasMessageContaining("at least one season");
  }

  @Test
  void anEndlessCalendarHasOnePeriod() {
    var calendar =
        new EndlessCalendar(SHANGHAI, LocalDate.of(2026, 1, 1), LocalDate.of(2100, 1, 1));
    var all = calendar.named(new PeriodName("all")).orElseThrow();

    assertThat(calendar.closes()).isFalse();
    assertThat(all.startsAt()).isEqualTo("2025-12-31T16:00:00Z");
    assertThat(all.endsAt()).isEqualTo("2099-12-31T16:00:00Z");
    assertThat(calendar.at(all.startsAt())).contains(all);
    assertThat(calendar.at(all.startsAt().minusNanos(1))).isEmpty();
    assertThat(calendar.at(all.endsAt())).isEmpty();
    assertThat(calendar.startingFrom(all.startsAt())).contains(all);
    assertThat(calendar.startingFrom(all.startsAt().plusNanos(1))).isEmpty();
    assertThat(calendar.longest()).isEqualTo(all.length());
  }

  static Season season(String name, String from, String to) {
    return new Season(new PeriodName(name), Edge.parse(from), Edge.parse(to));
  }
}
