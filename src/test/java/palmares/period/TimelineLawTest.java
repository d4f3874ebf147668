package palmares.period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.live.intake.EventOutcome.Kind;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.BoardDescription;
import palmares.rules.calendar.HourCalendar;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Periods of a board follow each other without gap or overlap, however its calendar changes. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
class TimelineLawTest {
  private static final int EDITS = 40;
  private static final List<String> UNITS =
      List.of(
          "day",
          "week",
          "hour",
          "{ every: 3, unit: days, from: 2026-10-30 }",
          "{ every: 2, unit: weeks, from: 2026-11-02 }",
          "{ every: 5, unit: months, from: 2026-07-28 }",
          "month",
          "quarter",
          "year");

  /** The second is skipped, or comes twice, where clocks change at two. */
  private static final List<String> STARTS = List.of("00:00", "02:30", "04:00", "12:00");

  /** Zones up to 26 hours apart, with daylight saving time and a moved date line. */
  private static final List<String> ZONES =
      List.of(
          "UTC",
          "Europe/Paris",
          "America/New_York",
          "Asia/Shanghai",
          "Asia/Kathmandu",
          "Australia/Lord_Howe",
          "America/Santiago",
          "Africa/Cairo",
          "Pacific/Pago_Pago",
          "Pacific/Kiritimati");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private PeriodTimeline timeline;
  @Autowired private JdbcClient jdbc;

  @ParameterizedTest
  @ValueSource(longs = {20, 47, 1999, 20_261_120})
  void randomEditsNeverLeaveAGapOrOverlap(long seed) {
    var random = new Random(seed);
    Board board = world.board(edited(random));
    for (int n = 0; n < EDITS; n++) {
      if (random.nextBoolean()) { // an event arrives before the sweep
        assertThat(timeline.open(board, world.now())).as("current period").isPresent();
      }
      timeline.prepare(board);
      assertThat(timeline.open(board, world.now())).as("current period").isPresent();
      assertTiles(board);
      var next = timeline.preview(board, 4);
      for (int i = 1; i < next.size(); i++) {
        assertThat(next.get(i).startsAt()).as("%s", next).isEqualTo(next.get(i - 1).endsAt());
      }
      assertThat(next).extracting(slot -> slot.name().value()).doesNotHaveDuplicates();

      Rules edit = edited(random);
      boolean hasHours = isHourly(board.source().text()) || isHourly(edit.text());
      boolean isShort = hasHours || random.nextBoolean();
      world.pass(Duration.ofMinutes(random.nextInt(isShort ? 3_000 : 150_000)));
      if (random.nextInt(3) > 0) {
        board = world.edit(board, edit);
      }
    }
    assertThat(records.number("select count(*) from period")).isGreaterThan(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 2026, 11})
  void randomlyEditedSeasonsContainEveryInstantOfTheirFile(long seed) {
    var random = new Random(seed);
    Board board = world.board(seasons(random));
    for (int n = 0; n < EDITS; n++) {
      Instant now = world.now();
      boolean covered = board.calendar().at(now).isPresent();
      if (random.nextBoolean()) { // an event arrives before the sweep
        assertThat(timeline.open(board, now).isPresent() || !covered).as("%s", now).isTrue();
      }
      timeline.prepare(board);
      assertThat(timeline.open(board, now).isPresent() || !covered).as("%s", now).isTrue();
      assertThat(overlaps()).isEmpty();
      world.pass(Duration.ofMinutes(random.nextInt(30_000)));
      if (random.nextBoolean()) {
        board = world.edit(board, random.nextInt(4) == 0 ? edited(random) : seasons(random));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    // from, to, the new calendar's first period: its name, start and end
    "day UTC, month UTC, 2026-11, 2026-11-21T00:00:00Z, 2026-12-01T00:00:00Z",
    "month UTC, month Europe/Paris, 2026-12, 2026-12-01T00:00:00Z, 2026-12-31T23:00:00Z",
    "month UTC, month America/New_York, 2026-12, 2026-12-01T00:00:00Z, 2027-01-01T05:00:00Z",
    "month UTC, day UTC, 2026-12-01, 2026-12-01T00:00:00Z, 2026-12-02T00:00:00Z",
    "week UTC, month UTC, 2026-11, 2026-11-23T00:00:00Z, 2026-12-01T00:00:00Z",
    "day UTC, day America/New_York, 2026-11-21, 2026-11-21T00:00:00Z, 2026-11-22T05:00:00Z",
    "day UTC, day Asia/Shanghai, 2026-11-21, 2026-11-21T00:00:00Z, 2026-11-21T16:00:00Z",
    "day UTC, day UTC 04:00, 2026-11-21, 2026-11-21T00:00:00Z, 2026-11-22T04:00:00Z",
    "day UTC 04:00, day UTC, 2026-11-21, 2026-11-21T04:00:00Z, 2026-11-22T00:00:00Z",
    "day UTC, hour UTC, 2026-11-21T00, 2026-11-21T00:00:00Z, 2026-11-21T01:00:00Z",
    "hour UTC, day UTC, 2026-11-20, 2026-11-20T11:00:00Z, 2026-11-21T00:00:00Z",
    "hour UTC, week UTC 04:00, 2026-W47, 2026-11-20T11:00:00Z, 2026-11-23T04:00:00Z",
  })
  void theCurrentPeriodKeepsItsEndAndTheNextOneBridgesToTheNewCalendar(
      String from, String to, String name, Instant starts, Instant ends, CapturedOutput output) {
    Board board = world.board(rules(from));
    timeline.prepare(board);
    Period present = timeline.open(board, world.now()).orElseThrow();
    board = world.edit(board, rules(to));

    assertThat(timeline.unprepared(List.of(board))).containsExactly(board);
    timeline.prepare(board);
    timeline.prepare(board);
    assertThat(world.again(present).slot()).isEqualTo(present.slot());
    Period next = world.period(board, name);
    assertThat(next.slot().startsAt()).isEqualTo(starts).isEqualTo(present.slot().endsAt());
    assertThat(next.slot().endsAt()).isEqualTo(ends);
    assertThat(records.number("select count(*) from period")).isEqualTo(2);

    var warnings =
        output.getAll().lines().filter(line -> line.contains("calendar changed")).toList();
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains(board.id() + ": period " + present.name() + " keeps its end", "period " + name);
    assertThat(BoardDescription.of(board, timeline.preview(board, 5), Locale.ENGLISH))
        .contains(present.name() + " keeps its boundaries");

    world.now(starts);
    assertThat(world.take(Fact.by("ann")).kind()).isEqualTo(Kind.APPLIED);
    world.now(ends);
    timeline.prepare(board);
    assertTiles(board);
  }

  @Test
  void anEventOpensTheSamePeriodAsTheScheduler() {
    Board board = world.board(rules("month UTC"));
    timeline.open(board, world.now());
    board = world.edit(board, rules("month America/New_York"));
    world.now(Instant.parse("2026-12-10T10:00:00Z"));
    assertThat(timeline.open(board, world.now()).orElseThrow().slot().startsAt())
        .isEqualTo("2026-12-01T00:00:00Z");
    assertTiles(board);
  }

  @Test
  void aPeriodPreparedUnderAnEarlierFileDoesNotShortenANewOne() {
    Board board =
        world.board(
            Rules.of("seasons").with("seasons: [{ name: a, from: 2026-11-25, to: 2026-12-24 }]"));
    timeline.prepare(board);
    board =
        world.edit(
            board,
            Rules.of("seasons").with("seasons: [{ name: a, from: 2026-11-20, to: 2026-11-30 }]"));
    Period opened = timeline.open(board, world.now()).orElseThrow();
    assertThat(opened.slot()).isEqualTo(board.calendar().at(world.now()).orElseThrow());
    assertThat(records.words("select name from period")).containsExactly("a");
  }

  @ParameterizedTest
  @CsvSource({
    // an hour or half an hour that the zone was expected to be ahead, or behind
    "Europe/Paris, PT1H, 2026-11-30T22:00:00Z, 2026-12-31T23:00:00Z",
    "Europe/Paris, PT-1H, 2026-12-01T00:00:00Z, 2026-12-31T23:00:00Z",
    "Australia/Lord_Howe, PT30M, 2026-11-30T12:30:00Z, 2026-12-31T13:00:00Z",
    "Asia/Kathmandu, PT-15M, 2026-11-30T18:30:00Z, 2026-12-31T18:15:00Z",
    "America/Santiago, PT1H, 2026-12-01T02:00:00Z, 2027-01-01T03:00:00Z",
    "Pacific/Apia, PT24H, 2026-11-29T11:00:00Z, 2026-12-31T11:00:00Z"
  })
  void newZoneRulesMoveOnlyPeriodsThatHaveNotBegun(
      String zone, Duration ahead, Instant kept, Instant moved) {
    Board board = world.board(rules("month " + zone));
    timeline.prepare(board);
    // The rows as created by the former rules.
    jdbc.sql(
            """
            update period
            set
              starts_at =
                starts_at - case name when '2026-12' then given.ahead else interval '0' end,
              ends_at = ends_at - given.ahead,
              closes_at = closes_at - given.ahead
            from (select ?::interval as ahead) as given
            """)
        .param(ahead.toString())
        .update();
    assertThat(timeline.unprepared(List.of(board))).containsExactly(board);
    timeline.prepare(board);
    assertThat(world.period(board, "2026-11").slot().endsAt()).isEqualTo(kept);
    assertThat(world.period(board, "2026-12").slot().startsAt()).isEqualTo(kept);
    assertThat(world.period(board, "2026-12").slot().endsAt()).isEqualTo(moved);
    assertTiles(board);
  }

  @Test
  void aPeriodTooLongForExactScoresIsShortenedAndRenamed() {
    // A day in milliseconds takes 27 bits, which hold 37 hours; 26 bits are left for points.
    var rules = rules("day Pacific/Kiritimati").with("max-points: 67108863");
    Board board = world.board(rules);
    timeline.prepare(board);
    board = world.edit(board, rules.with("zone: Pacific/Pago_Pago"));
    timeline.prepare(board);
    assertThat(world.period(board, "2026-11-21").slot().endsAt()).isEqualTo("2026-11-21T10:00:00Z");
    world.now(Instant.parse("2026-11-22T00:00:00Z"));
    timeline.prepare(board);
    assertTiles(board);
  }

  @Test
  void aPeriodThatBeginsWithinAMinuteIsNotMoved() {
    Board board = world.board(rules("day UTC"));
    timeline.prepare(board);
    world.now(Instant.parse("2026-11-20T23:59:00Z"));
    board = world.edit(board, rules("month UTC"));
    timeline.prepare(board);
    assertThat(world.period(board, "2026-11-21").slot().endsAt()).isEqualTo("2026-11-22T00:00:00Z");
    assertThat(world.period(board, "2026-11").slot().startsAt()).isEqualTo("2026-11-22T00:00:00Z");
  }

  @Test
  void theDatabaseRejectsOverlappingPeriods() {
    Board board = world.board(rules("day UTC"));
    timeline.prepare(board);
    assertThatThrownBy(
            () ->
                jdbc.sql(
                        """
                        update period set starts_at = starts_at - interval '1 microsecond'
                        where name = '2026-11-21'
                        """)
                    .update())
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("a board's periods do not overlap");
  }

  private void assertTiles(Board board) {
    assertThat(
            records.words(
                """
                select name || ' to ' || next from (
                  select name, ends_at, lead(starts_at) over (order by starts_at) as next
                  from period
                ) as row
                where next <> ends_at
                """))
        .as("%s", board.id())
        .isEmpty();
  }

  private List<String> overlaps() {
    return records.words(
        """
        select one.name || ' ' || other.name
        from period one
        join period other on other.id > one.id
          and tstzrange(one.starts_at, one.ends_at) && tstzrange(other.starts_at, other.ends_at)
        """);
  }

  private static boolean isHourly(String rules) {
    return rules.contains("period: " + HourCalendar.KIND);
  }

  private static Rules edited(Random random) {
    String unit = UNITS.get(random.nextInt(UNITS.size()));
    var rules = Rules.of(unit).with("zone: " + ZONES.get(random.nextInt(ZONES.size())));
    if (!unit.equals(HourCalendar.KIND)) {
      rules = rules.with("starts-at: '%s'".formatted(STARTS.get(random.nextInt(STARTS.size()))));
    }
    return unit.equals("week")
        ? rules.with(
            "week-start: " + DayOfWeek.of(1 + random.nextInt(7)).name().toLowerCase(Locale.ROOT))
        : rules;
  }

  /** Seasons with and without gaps; names are reused with other dates. */
  private Rules seasons(Random random) {
    LocalDate day = LocalDate.ofInstant(world.now(), ZoneOffset.UTC).minusDays(random.nextInt(9));
    var list = new StringBuilder();
    for (int n = 0; n < 4; n++) {
      LocalDate last = day.plusDays(random.nextInt(12));
      list.append(
          "{ name: s%d, from: %s, to: %s },".formatted(random.nextInt(3) + 3 * n, day, last));
      day = last.plusDays(1 + random.nextInt(2) * random.nextInt(9));
    }
    return Rules.of("seasons")
        .with("seasons: [%s]".formatted(list))
        .with("zone: " + ZONES.get(random.nextInt(ZONES.size())));
  }

  /**
   * @param calendar unit, zone, and if it is not midnight, when a day begins
   */
  private static Rules rules(String calendar) {
    String[] words = calendar.split(" ");
    Rules rules = Rules.of(words[0]).with("zone: " + words[1]);
    return words.length == 2 ? rules : rules.with("starts-at: '" + words[2] + "'");
  }
}
