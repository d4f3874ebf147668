package palmares.rules.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
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
        new EndlessCalendar(SHANGHAI, LocalDate.of(2026, 1, 1), EndlessCalendar.DEFAULT_UNTIL);
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
