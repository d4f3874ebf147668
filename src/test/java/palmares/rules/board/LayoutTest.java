package palmares.rules.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import palmares.rules.board.Scale.Scoring;
import palmares.rules.board.Scale.ThenBy;
import palmares.rules.board.Scale.Tiebreak;
import palmares.rules.calendar.Calendars;
import palmares.rules.calendar.PeriodName;
import palmares.rules.calendar.PeriodUnit;
import palmares.rules.calendar.Slot;

class LayoutTest {
  static final Duration GRACE = Duration.ofMinutes(10);
  static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  record Line(long points, long then, long tie, String member) {}

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 60);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void redisOrdersTheEntriesOfEveryLayoutByPlaceAndEachIsDecoded(long seed) {
    var chance = new Random(seed);
    var layout = layout(chance);
    var scale = layout.scale();
    var lines = lines(layout, chance);

    var byRule = new ArrayList<>(lines);
    byRule.sort(byRule(scale));
    var byRedis = new ArrayList<>(lines);
    byRedis.sort(
        Comparator.comparingDouble((Line line) -> score(layout, line))
            .thenComparing(
                line -> layout.entry(line.member(), line.tie()).getBytes(), Arrays::compareUnsigned)
            .reversed());

    assertThat(byRedis).as("%s", layout).isEqualTo(byRule);
    for (var line : lines) {
      double score = score(layout, line);
      assertThat(score).isEqualTo(Math.rint(score)).isBetween(0d, Math.pow(2, 53));
      var memberScore = layout.decode(layout.entry(line.member(), line.tie()), score);
      boolean arrivals = scale.tiebreak() == Tiebreak.ARRIVAL;
      assertThat(memberScore)
          .isEqualTo(
              new MemberScore(
                  line.member(),
                  line.points(),
                  line.then(),
                  arrivals ? line.tie() : 0,
                  arrivals ? null : scale.resolution().instant(line.tie())));
    }
  }

  static double score(Layout layout, Line line) {
    return layout.score(line.points(), line.then(), line.tie());
  }

  static Comparator<Line> byRule(Scale scale) {
    var points = Comparator.comparingLong(Line::points);
    var then = Comparator.comparingLong(Line::then);
    return (scale.scoring().fewestWin() ? points : points.reversed())
        .thenComparing(scale.fewestThen() ? then : then.reversed())
        .thenComparing(Line::tie)
        .thenComparing(Line::member, Comparator.reverseOrder());
  }

  /** A random scale with the most points that fit. */
  static Layout layout(Random chance) {
    var slot = slot(PeriodUnit.values()[chance.nextInt(PeriodUnit.values().length)]);
    boolean arrivals = chance.nextInt(3) == 0;
    var then =
        chance.nextInt(3) == 0
            ? new ThenBy("attempts", 1 + chance.nextInt(100), chance.nextBoolean())
            : null;
    var small =
        new Scale(
            Scoring.values()[chance.nextInt(Scoring.values().length)],
            1,
            then,
            arrivals ? Tiebreak.ARRIVAL : Tiebreak.TIME,
            arrivals ? 1 + chance.nextInt(1_000_000) : 0,
            TimeResolution.values()[chance.nextInt(TimeResolution.values().length)],
            chance.nextBoolean());
    var budget = BitBudget.of(slot.length().plus(GRACE), small);
    var scale = with(small, Math.max(1, budget.maxPoints()));
    return Layout.of(slot, GRACE, scale.levelBits() + budget.tieBits() > 53 ? wide(scale) : scale);
  }

  static Scale with(Scale scale, long maxPoints) {
    return new Scale(
        scale.scoring(),
        maxPoints,
        scale.thenBy(),
        scale.tiebreak(),
        scale.maxEvents(),
        scale.resolution(),
        scale.wide());
  }

  static Scale wide(Scale scale) {
    return new Scale(
        scale.scoring(),
        scale.maxPoints(),
        scale.thenBy(),
        scale.tiebreak(),
        scale.maxEvents(),
        scale.resolution(),
        true);
  }

  /** The extremes of points, second key and tie, and random values between them. */
  static List<Line> lines(Layout layout, Random chance) {
    long most = layout.scale().maxPoints();
    long mostThen = layout.scale().maxThen();
    boolean arrivals = layout.scale().tiebreak() == Tiebreak.ARRIVAL;
    long last = layout.horizon();
    long first = arrivals ? 1 : last - layout.scale().resolution().ticks(Duration.ofDays(1)) + 1;
    var lines = new ArrayList<Line>();
    for (long points : new long[] {0, 1, most / 2, most - 1, most}) {
      for (long tie : new long[] {first, last}) {
        lines.add(new Line(points, mostThen, tie, "a" + lines.size()));
        lines.add(new Line(points, 0, tie, "b" + lines.size()));
      }
    }
    for (int i = 0; i < 300; i++) {
      long points = chance.nextBoolean() ? chance.nextLong(most + 1) : chance.nextInt(2);
      long tie = chance.nextBoolean() ? first : chance.nextLong(first, last + 1);
      lines.add(new Line(points, chance.nextLong(mostThen + 1), tie, "m" + i));
    }
    return lines;
  }

  @ParameterizedTest
  @CsvSource({"DAY, 27, 67108863", "WEEK, 30, 8388607", "MONTH, 32, 2097151", "YEAR, 35, 262143"})
  void bitsOfAPeriodAndItsGraceInMilliseconds(PeriodUnit unit, int tieBits, long mostPoints) {
    for (var zone : List.of("UTC", "Asia/Shanghai", "America/New_York", "Antarctica/Casey")) {
      var calendar = Calendars.of(unit, zone);
      var budget = BitBudget.of(calendar, GRACE, scale(1, null, TimeResolution.MILLISECOND));

      assertThat(budget.tieBits()).as(zone).isEqualTo(tieBits);
      assertThat(budget.maxPoints()).as(zone).isEqualTo(mostPoints);
      assertThat(budget.tieBits() + budget.pointsBits()).isEqualTo(Layout.EXACT_BITS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void onePointAboveTheBudgetIsRefused(PeriodUnit unit) {
    var slot = slot(unit);
    var then = new ThenBy("attempts", 7, true);
    var budget =
        BitBudget.of(slot.length().plus(GRACE), scale(1, then, TimeResolution.MILLISECOND));
    long most = budget.maxPoints();
    var layout = Layout.of(slot, GRACE, scale(most, then, TimeResolution.MILLISECOND));
    var last = layout.horizon();

    assertThat(budget.thenBits()).isEqualTo(3);
    assertThatThrownBy(
            () -> Layout.of(slot, GRACE, scale(most + 1, then, TimeResolution.MILLISECOND)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leaves room for %d points, not for %d", most, most + 1);
    assertThatThrownBy(() -> layout.score(most + 1, 0, last))
        .hasMessageContaining("points are not within 0 and " + most);
    assertThatThrownBy(() -> layout.score(-1, 0, last)).hasMessageContaining("-1 points");
    assertThatThrownBy(() -> layout.score(1, 8, last)).hasMessageContaining("8 of the second key");
  }

  @ParameterizedTest
  @EnumSource
  void aTimeOutsideTheBitsIsRefused(PeriodUnit unit) {
    var slot = slot(unit);
    var layout = Layout.of(slot, GRACE, scale(1, null, TimeResolution.MILLISECOND));
    long last = layout.horizon();

    assertThat(layout.decode("m", layout.score(1, 0, last)).reachedAt())
        .isEqualTo(layout.latestDeadline())
        .isAfterOrEqualTo(slot.endsAt().plus(GRACE));
    assertThatThrownBy(() -> layout.score(1, 0, last + 1)).hasMessageContaining("is not within");
    assertThatThrownBy(() -> layout.score(1, 0, last - layout.unit()))
        .hasMessageContaining("is not within");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aPeriodThatIsExtendedUpToTheLatestDeadlineKeepsItsEntries(long seed) {
    var chance = new Random(seed);
    var slot = slot(PeriodUnit.values()[chance.nextInt(PeriodUnit.values().length)]);
    for (var resolution : TimeResolution.values()) {
      for (boolean wide : new boolean[] {false, true}) {
        var scale = wide ? wide(scale(1, null, resolution)) : scale(1, null, resolution);
        var layout = Layout.of(slot, GRACE, scale);
        var latest = layout.latestDeadline().minus(GRACE);
        long room = Duration.between(slot.endsAt(), latest).toMillis();
        assertThat(room).isNotNegative();
        var until = slot.endsAt().plusMillis(chance.nextLong(room + 1));

        for (var end : List.of(until, latest)) {
          assertThat(Layout.of(new Slot(slot.name(), slot.startsAt(), end), GRACE, scale))
              .isEqualTo(layout);
        }
        var beyond = latest.plusNanos(resolution.micros() * 1000);
        var tooLong = new Slot(slot.name(), slot.startsAt(), beyond);
        assertThat(Layout.of(tooLong, GRACE, scale).equals(layout)).isEqualTo(wide);
      }
    }
  }

  /** Redis computes in doubles. */
  @ParameterizedTest
  @EnumSource
  void theLastTickOfAWideLayoutIsAfterAllPeriodsAndExact(TimeResolution resolution) {
    var layout = Layout.of(slot(PeriodUnit.YEAR), GRACE, wide(scale(1, null, resolution)));
    assertThat(layout.horizon()).isLessThan(1L << Layout.EXACT_BITS);
    for (var time : List.of("1970-01-01T00:00:00Z", "2200-01-08T00:00:00Z")) {
      long tick = resolution.tick(Instant.parse(time));
      var entry = layout.entry("m", tick);
      assertThat(layout.decode(entry, layout.score(1, 0, tick)).reachedAt()).isEqualTo(time);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theBitsAreTheFewestThatHoldEveryTick(TimeResolution resolution) {
    var start = Instant.parse("2026-01-01T00:00:00Z");
    var tick = Duration.ofNanos(resolution.micros() * 1000);
    for (int bits = 1; bits < 20; bits++) {
      var full =
          new Slot(new PeriodName("full"), start, start.plus(tick.multipliedBy((1L << bits) - 1)));
      var more = new Slot(new PeriodName("more"), start, full.endsAt().plusNanos(1000));
      var scale = scale(1, null, resolution);

      assertThat(Layout.of(full, Duration.ZERO, scale).tieBits()).isEqualTo(bits);
      assertThat(Layout.of(more, Duration.ZERO, scale).tieBits()).isEqualTo(bits + 1);
    }
  }

  static Scale scale(long maxPoints, @Nullable ThenBy then, TimeResolution resolution) {
    return new Scale(Scoring.ADD, maxPoints, then, Tiebreak.TIME, 0, resolution, false);
  }

  static Slot slot(PeriodUnit unit) {
    var calendar = Calendars.of(unit, "America/New_York");
    return calendar.at(NOW).orElseThrow();
  }
}
