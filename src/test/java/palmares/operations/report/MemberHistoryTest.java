package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.report.HallOfFame.FameLine;
import palmares.operations.report.MemberHistory.MemberLine;
import palmares.operations.report.MemberHistory.Page;
import palmares.operations.report.MemberRecord.Streak;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.MonthReport.MonthPeriods;
import palmares.operations.report.MonthReport.MonthSum;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.OwnTables;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A member's history, the hall of fame and the months add up what single periods show. */
@WorldTest
class MemberHistoryTest {
  /** From 20 November to 3 December. */
  private static final int DAYS = 14;

  private static final List<String> MEMBERS = List.of("ann", "bob", "cid", "dan", "eve", "fay");

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Records records;
  @Autowired private PalmaresReport published;
  @Autowired private MemberHistory history;
  @Autowired private HallOfFame fame;
  @Autowired private MonthReport months;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;

  private final List<Period> days = new ArrayList<>();
  private Board board;

  /** Random days with ties, without ann on two of them; two more are amended in December. */
  @BeforeEach
  void settleAndAmend() {
    board =
        world.board(
            Rules.day()
                .with("ranks: competition")
                .with(
                    """
                    rewards:
                      - { rule: podium, ranks: { 1: 100, 2-3: 30 } }
                      - { rule: medal, currency: gold, ranks: { 1: 3 } }
                    """));
    var random = new Random(11);
    for (int day = 0; day < DAYS; day++) {
      Period period = world.open(board);
      for (String member : MEMBERS) {
        if (random.nextInt(4) > 0 && (day % 8 != 3 || !member.equals("ann"))) {
          world.take(Fact.by(member).does("coin").times(1 + random.nextInt(4)));
        }
      }
      days.add(world.settle(period));
    }
    amend(days.get(2), ExclusionLevel.HIDDEN);
    amend(days.get(6), ExclusionLevel.UNRANKED);
  }

  /** Excludes the first of the day. */
  private void amend(Period day, ExclusionLevel level) {
    String member = published.top(day.board(), day.name(), 1).get(0).member();
    exclusions.exclude(
        new Terms(
            new MemberId(member), level, board.id(), day.slot().startsAt(), day.slot().endsAt()),
        "cheats",
        "zoe");
    assertThat(amendments.prepare(day.id(), new AmendmentRequest("zoe", "so", null, Map.of())))
        .isPresent();
    amendments.approve(day.id(), null, "bob", "right so");
  }

  /** The member's lines as the lists of the periods show them, the latest period first. */
  private List<FinalLine> lines(String member) {
    var lines = new ArrayList<FinalLine>();
    published.each(board.id(), null, lines::add);
    return lines.stream()
        .filter(line -> line.member().equals(member))
        .sorted(Comparator.comparing(FinalLine::period).reversed())
        .toList();
  }

  private List<MemberLine> all(String member) {
    var lines = new ArrayList<MemberLine>();
    history.each(board.id(), new MemberId(member), Integer.MAX_VALUE, lines::add);
    return lines;
  }

  private MemberRecord record(String member, int top) {
    return history.record(board.id(), new MemberId(member), top);
  }

  /** All that only reads, as to settle and amend takes longer. */
  @TestFactory
  @Tag(OwnTables.TAG)
  Stream<DynamicTest> laws() {
    return Stream.of(
        dynamicTest("lines are those of the periods", this::aMembersLinesAreThoseOfThePeriods),
        dynamicTest("pages are the whole in order", this::pagesAreTheWholeInOrder),
        dynamicTest("a record adds up the lines", this::aRecordAddsUpTheLines),
        dynamicTest("the hall of fame ranks the sums", this::theHallOfFameRanksTheSums),
        dynamicTest("a month adds up what was posted in it", this::aMonthAddsUpWhatWasPostedInIt),
        dynamicTest("sums are exact", this::sumsAreExact));
  }

  private void aMembersLinesAreThoseOfThePeriods() {
    for (String member : MEMBERS) {
      assertThat(all(member))
          .hasSizeGreaterThan(5)
          .extracting(MemberHistoryTest::text)
          .isEqualTo(lines(member).stream().map(MemberHistoryTest::text).toList());
    }
    assertThat(all("nobody")).isEmpty();
    String unranked =
        published.from(board.id(), days.get(6).name(), 1, 9).stream()
            .filter(line -> line.rank() == null)
            .findFirst()
            .orElseThrow()
            .member();
    assertThat(all(unranked)).extracting(MemberLine::rank).containsNull();
    assertThat(all(unranked)).extracting(MemberLine::revision).contains(1, 2);
  }

  private static String text(MemberLine line) {
    long gold = line.awarded().of("gold");
    return "%s %d %s %d %s %d %s"
        .formatted(
            line.period(),
            line.place(),
            line.rank(),
            line.points(),
            line.reachedAt(),
            line.awarded().credits(),
            gold == 0 ? "[]" : "[" + gold + " gold]");
  }

  private static String text(FinalLine line) {
    return "%s %d %s %d %s %d %s"
        .formatted(
            line.period(),
            line.place(),
            line.rank(),
            line.points(),
            line.reachedAt(),
            line.prizes().credits(),
            line.prizes().others());
  }

  private void pagesAreTheWholeInOrder() {
    for (int count = 1; count <= DAYS; count++) {
      var paged = new ArrayList<MemberLine>();
      Page page = history.page(board.id(), new MemberId("ann"), null, count);
      paged.addAll(page.lines());
      while (page.next() != null) {
        assertThat(page.lines()).hasSize(count);
        Instant before = world.period(board, page.next().value()).slot().startsAt();
        page = history.page(board.id(), new MemberId("ann"), before, count);
        paged.addAll(page.lines());
      }
      assertThat(paged).isEqualTo(all("ann"));
    }
  }

  private void aRecordAddsUpTheLines() {
    for (String member : MEMBERS) {
      List<FinalLine> lines = lines(member);
      for (int top : List.of(1, 3)) {
        MemberRecord record = record(member, top);
        assertThat(record.periods()).isEqualTo(DAYS);
        assertThat(record.played()).isEqualTo(lines.size());
        assertThat(record.wins()).isEqualTo(within(lines, 1));
        assertThat(record.podiums()).isEqualTo(within(lines, 3));
        assertThat(record.awarded().credits())
            .isEqualTo(lines.stream().mapToLong(line -> line.prizes().credits()).sum());
        assertThat(record.bestPoints())
            .extracting(MemberLine::points)
            .isEqualTo(lines.stream().mapToLong(FinalLine::points).max().orElseThrow());
        assertStreaks(record.playing(), lines, line -> true);
        assertStreaks(record.inTop(), lines, line -> line.rank() != null && line.rank() <= top);
      }
    }
    assertThat(record("nobody", 3).playing().longest()).isNull();
    assertThat(record("nobody", 3).bestRank()).isNull();
  }

  private static long within(List<FinalLine> lines, long rank) {
    return lines.stream().filter(line -> line.rank() != null && line.rank() <= rank).count();
  }

  /** Writes a period as x or as a dot, the latest first, and finds the longest row of x. */
  private void assertStreaks(
      MemberRecord.Streaks streaks, List<FinalLine> lines, Predicate<FinalLine> counts) {
    List<String> in = lines.stream().filter(counts).map(FinalLine::period).toList();
    List<String> names =
        new ArrayList<>(days.stream().map(period -> period.name().value()).toList());
    Collections.reverse(names);
    String row =
        names.stream().map(name -> in.contains(name) ? "x" : ".").collect(Collectors.joining());
    int longest = Stream.of(row.split("\\.+")).mapToInt(String::length).max().orElse(0);
    int current = row.indexOf('.') < 0 ? row.length() : row.indexOf('.');
    assertStreak(streaks.current(), names, 0, current);
    assertStreak(streaks.longest(), names, row.indexOf("x".repeat(longest)), longest);
  }

  private static void assertStreak(
      @Nullable Streak streak, List<String> names, int from, int length) {
    if (length == 0) {
      assertThat(streak).isNull();
      return;
    }
    Streak found = Objects.requireNonNull(streak);
    assertThat(found.periods()).isEqualTo(length);
    assertThat(found.last().value()).isEqualTo(names.get(from));
    assertThat(found.first().value()).isEqualTo(names.get(from + length - 1));
  }

  /** Copies a settled period 240 times into earlier years, so that a history has many slices. */
  @Test
  @Tag(OwnTables.TAG)
  void aLongHistoryIsReadInSlices() {
    int copies = 240;
    Period day = days.get(0);
    servers.unguarded(
        () ->
            Stream.of(
                    """
                    insert into period overriding system value
                    select (jsonb_populate_record(period, jsonb_build_object(
                      'id', id + 1000 * n, 'name', 'copy-' || n,
                      'starts_at', starts_at - n * interval '1 day',
                      'ends_at', ends_at - n * interval '1 day'))).*
                    from period cross join generate_series(1, ?) n where id = ?
                    """,
                    """
                    insert into revision
                    select (jsonb_populate_record(whole, jsonb_build_object(
                      'id', id - 1000 * n, 'period_id', period_id + 1000 * n))).*
                    from revision whole cross join generate_series(1, ?) n where period_id = ?
                    """,
                    """
                    insert into prize
                    select prize.outcome - 1000 * n, rule, name, currency
                    from prize join revision on revision.id = prize.outcome
                    cross join generate_series(1, ?) n where period_id = ?
                    """,
                    """
                    insert into line
                    select reached_at, points, then_by, arrival, outcome - 1000 * n, place, rank,
                      member
                    from line join revision on revision.id = outcome
                    cross join generate_series(1, ?) n where period_id = ?
                    """
                        .replace("arrival, outcome", "arrival, line.outcome"),
                    """
                    insert into payment
                    select amount, outcome - 1000 * n, rule, purpose, member
                    from payment join revision on revision.id = outcome
                    cross join generate_series(1, ?) n where period_id = ?
                    """)
                .forEach(sql -> servers.sql(sql, copies, day.id().value())));
    for (String member : MEMBERS) {
      List<FinalLine> lines = lines(member);
      assertThat(all(member)).extracting(MemberHistoryTest::text).hasSize(lines.size());
      assertThat(record(member, 3).periods()).isEqualTo(DAYS + copies);
      assertThat(record(member, 3).awarded().credits())
          .isEqualTo(lines.stream().mapToLong(line -> line.prizes().credits()).sum());
    }
    assertFame(100);
  }

  private void theHallOfFameRanksTheSums() {
    assertFame(100);
    assertFame(2);
  }

  private void assertFame(int count) {
    var lines = new ArrayList<FinalLine>();
    published.each(board.id(), null, lines::add);
    var wins = new TreeMap<String, Long>();
    var podiums = new TreeMap<String, Long>();
    var credits = new TreeMap<String, Long>();
    var points = new TreeMap<String, Long>();
    for (FinalLine line : lines) {
      String member = line.member();
      if (line.rank() != null) {
        wins.merge(member, line.rank() == 1 ? 1L : 0, Long::sum);
        podiums.merge(member, line.rank() <= 3 ? 1L : 0, Long::sum);
        points.merge(member, line.points(), Long::max);
      }
      credits.merge(member, line.prizes().credits(), Long::sum);
    }
    List<FameLine> found = fame.of(board.id(), count);
    assertNumbers(found, "wins", null, wins, count);
    assertNumbers(found, "podiums", null, podiums, count);
    assertNumbers(found, "awards", "credits", credits, count);
    assertNumbers(found, "points", null, points, count);
    assertThat(found).extracting(FameLine::currency).contains("gold");
  }

  private static void assertNumbers(
      List<FameLine> found,
      String what,
      @Nullable String currency,
      Map<String, Long> numbers,
      int count) {
    List<FameLine> shown =
        found.stream()
            .filter(line -> line.most().equals(what))
            .filter(line -> currency == null || currency.equals(line.currency()))
            .toList();
    var sorted =
        numbers.values().stream()
            .filter(number -> number > 0)
            .sorted(Comparator.reverseOrder())
            .toList();
    assertThat(shown)
        .as(what)
        .hasSize(Math.min(count, sorted.size()))
        .allSatisfy(
            line -> {
              assertThat(line.number().longValueExact()).isEqualTo(numbers.get(line.member()));
              assertThat(line.rank()).isEqualTo(1 + sorted.indexOf(line.number().longValueExact()));
            });
    assertThat(shown)
        .extracting(line -> line.number().longValueExact())
        .isEqualTo(sorted.subList(0, shown.size()));
  }

  private void aMonthAddsUpWhatWasPostedInIt() {
    for (ZoneId zone : List.of(ZoneOffset.UTC, ZoneId.of("Asia/Kolkata"))) {
      for (YearMonth month : List.of(YearMonth.of(2026, 11), YearMonth.of(2026, 12))) {
        var asked = new Month(month, zone);
        assertThat(months.sums(asked).stream().map(MemberHistoryTest::text).toList())
            .as("%s", asked)
            .isNotEmpty()
            .isEqualTo(moved(asked));
      }
    }
    assertThat(months.periods(new Month(YearMonth.of(2026, 11), ZoneOffset.UTC)))
        .containsExactly(new MonthPeriods(board.id().value(), 10, 0, 0, 0));
    assertThat(months.periods(new Month(YearMonth.of(2026, 12), ZoneOffset.UTC)))
        .containsExactly(new MonthPeriods(board.id().value(), 4, 2, 0, 0));
    assertThat(months.sums(new Month(YearMonth.of(2027, 1), ZoneOffset.UTC))).isEmpty();
  }

  @Test
  void aMonthCountsWhatIsHeldOrOverdue() {
    Board strict =
        world.board(
            Rules.day()
                .with("rewards: [{ rule: each, taking-part: 1 }]")
                .with("payout: { approval: required }"));
    Period held = world.open(strict);
    world.take(Fact.by("ann").to(strict));
    world.close(held);
    world.open(strict);
    world.pass(Duration.ofDays(2));
    assertThat(months.periods(new Month(YearMonth.of(2026, 12), ZoneOffset.UTC)))
        .contains(new MonthPeriods(strict.id().value(), 0, 0, 1, 1));
  }

  private static String text(MonthSum sum) {
    assertThat(sum.net()).isEqualTo(sum.paid().subtract(sum.takenBack()));
    return Stream.of(sum.board(), sum.currency(), sum.outcomes(), sum.paid(), sum.takenBack())
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  /** What the ledger moved, by board and currency, and in all. */
  private List<String> moved(Month month) {
    return records.words(
        """
        select concat_ws(' ', coalesce(board, 'null'), currency, count(distinct outcome),
          sum(amount) filter (where purpose = 'award'),
          coalesce(sum(amount) filter (where purpose = 'return'), 0))
        from transfer
        where to_char(posted_at at time zone ?, 'YYYY-MM') = ?
        group by grouping sets ((board, currency), (currency))
        order by board nulls last, currency
        """,
        month.zone().getId(),
        month.month().toString());
  }

  private void sumsAreExact() {
    assertThat(months.sums(new Month(YearMonth.of(2026, 11), ZoneOffset.UTC)))
        .extracting(MonthSum::takenBack)
        .containsOnly(BigDecimal.ZERO);
  }
}
