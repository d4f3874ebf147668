package palmares.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import palmares.calendar.PeriodName;
import palmares.calendar.PeriodUnit;
import palmares.calendar.RecurringCalendar;
import palmares.calendar.Slot;

class PackedScoreTest {
  static final Duration GRACE = Duration.ofMinutes(10);
  static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  static final long SEED = 47;

  record Line(long points, Instant reachedAt) {}

  @ParameterizedTest
  @EnumSource
  void scores_sort_by_points_then_by_the_earliest_time_at_both_ends_of_the_bits(PeriodUnit unit) {
    var slot = slot(unit);
    var score = layout(slot, Resolution.MILLISECOND);
    var lines = lines(slot, score, Duration.ofMillis(1));

    var byRule = new ArrayList<>(lines);
    byRule.sort(Comparator.comparingLong(Line::points).reversed().thenComparing(Line::reachedAt));
    var byScore = new ArrayList<>(lines);
    byScore.sort(
        Comparator.comparingDouble((Line line) -> score.score(line.points(), line.reachedAt()))
            .reversed());

    assertThat(byScore).isEqualTo(byRule);
    assertThat(lines.stream().map(line -> score.score(line.points(), line.reachedAt())))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void a_score_gives_back_its_points_and_its_time_to_the_tick(Resolution resolution) {
    for (var unit : PeriodUnit.values()) {
      var slot = slot(unit);
      var score = layout(slot, resolution);
      for (var line : lines(slot, score, Duration.ofNanos(resolution.micros() * 1000))) {
        double packed = score.score(line.points(), line.reachedAt());
        var cut = resolution.instant(resolution.tick(line.reachedAt()));

        assertThat(packed).isEqualTo(Math.rint(packed)).isLessThan(Math.pow(2, 53));
        assertThat(score.points(packed)).isEqualTo(line.points());
        assertThat(score.reachedAt(packed)).isEqualTo(cut);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"DAY, 27, 67108863", "WEEK, 30, 8388607", "MONTH, 32, 2097151", "YEAR, 35, 262143"})
  void a_period_and_its_grace_take_so_many_bits_in_milliseconds(
      PeriodUnit unit, int timeBits, long mostPoints) {
    for (var zone : List.of("UTC", "Asia/Shanghai", "America/New_York", "Antarctica/Casey")) {
      var calendar = new RecurringCalendar(unit, ZoneId.of(zone), DayOfWeek.MONDAY);
      var budget = BitBudget.of(calendar, GRACE, Resolution.MILLISECOND);

      assertThat(budget.timeBits()).as(zone).isEqualTo(timeBits);
      assertThat(budget.mostPoints()).as(zone).isEqualTo(mostPoints);
      assertThat(budget.timeBits() + budget.pointsBits()).isEqualTo(PackedScore.EXACT_BITS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_point_more_than_the_budget_is_refused(PeriodUnit unit) {
    var slot = slot(unit);
    long most = most(slot, Resolution.MILLISECOND);
    var score = PackedScore.of(slot, GRACE, Resolution.MILLISECOND, most);

    assertThatThrownBy(() -> PackedScore.of(slot, GRACE, Resolution.MILLISECOND, most + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leaves room for %d points, not for %d", most, most + 1);
    assertThatThrownBy(() -> score.score(most + 1, slot.startsAt()))
        .hasMessageContaining("points are not within 0 and " + most);
    assertThatThrownBy(() -> score.score(-1, slot.startsAt())).hasMessageContaining("-1 points");
  }

  @ParameterizedTest
  @EnumSource
  void a_time_that_the_bits_cannot_hold_is_refused(PeriodUnit unit) {
    var slot = slot(unit);
    var score = layout(slot, Resolution.MILLISECOND);
    var deadline = slot.endsAt().plus(GRACE);
    var tooEarly = deadline.minusMillis(1L << score.timeBits());

    assertThat(score.reachedAt(score.score(1, deadline))).isEqualTo(deadline);
    assertThatThrownBy(() -> score.score(1, deadline.plusMillis(1)))
        .hasMessageContaining("is not within the %d bits of time", score.timeBits());
    assertThatThrownBy(() -> score.score(1, tooEarly))
        .hasMessageContaining("is not within the %d bits of time", score.timeBits());
  }

  /** The corners of points and time, one tick to each side of them, and a random lot between. */
  static List<Line> lines(Slot slot, PackedScore score, Duration tick) {
    long most = PackedScore.maxPoints(score.timeBits());
    var deadline = slot.endsAt().plus(GRACE);
    var middle = slot.startsAt().plus(slot.length().dividedBy(2));
    var lines = new ArrayList<Line>();
    for (long points : new long[] {0, 1, most / 2, most - 1, most}) {
      for (var time : List.of(slot.startsAt(), middle)) {
        lines.add(new Line(points, time));
        lines.add(new Line(points, time.plus(tick)));
      }
      lines.add(new Line(points, deadline.minus(tick)));
      lines.add(new Line(points, deadline));
    }
    var random = new Random(SEED);
    for (int i = 0; i < 500; i++) {
      long millis = random.nextLong(slot.startsAt().toEpochMilli() + 2, middle.toEpochMilli());
      lines.add(new Line(random.nextLong(most + 1), Instant.ofEpochMilli(millis)));
    }
    return lines;
  }

  static Slot slot(PeriodUnit unit) {
    var calendar = new RecurringCalendar(unit, ZoneId.of("America/New_York"), DayOfWeek.MONDAY);
    return calendar.at(NOW).orElseThrow();
  }

  static long most(Slot slot, Resolution resolution) {
    return PackedScore.maxPoints(PackedScore.timeBits(slot.length().plus(GRACE), resolution));
  }

  static PackedScore layout(Slot slot, Resolution resolution) {
    return PackedScore.of(slot, GRACE, resolution, most(slot, resolution));
  }

  @ParameterizedTest
  @EnumSource
  void the_bits_are_the_fewest_that_hold_every_tick(Resolution resolution) {
    var start = Instant.parse("2026-01-01T00:00:00Z");
    var tick = Duration.ofNanos(resolution.micros() * 1000);
    for (int bits = 1; bits < 20; bits++) {
      var full =
          new Slot(new PeriodName("full"), start, start.plus(tick.multipliedBy((1L << bits) - 1)));
      var more = new Slot(new PeriodName("more"), start, full.endsAt().plusNanos(1000));

      assertThat(PackedScore.of(full, Duration.ZERO, resolution, 1).timeBits()).isEqualTo(bits);
      assertThat(PackedScore.of(more, Duration.ZERO, resolution, 1).timeBits()).isEqualTo(bits + 1);
    }
  }
}
