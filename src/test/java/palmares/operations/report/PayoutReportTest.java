package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.MonthReport.MonthSum;
import palmares.operations.report.PayoutReport.EarlierFiles;
import palmares.operations.report.PayoutReport.OverlappingFile;
import palmares.operations.report.PayoutReport.Payout;
import palmares.operations.report.PayoutReport.PayoutLine;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A payout file has every member that something was posted for, with what the ledger says. */
@WorldTest
class PayoutReportTest {
  private static final String REWARDS =
      """
      rewards:
        - { rule: podium, ranks: { 1: 1000, 2-3: 300 } }
        - { rule: gems, ranks: { 1-4: 7 }, currency: gems }
        - { rule: each-invite, per: invite, credits: 20 }
      """;

  private static final String TRANSFERS =
      """
      select concat_ws(' ', member, currency, count(*), coalesce(sum(amount) filter
        (where to_kind = 'member'), 0), coalesce(sum(amount) filter (where from_kind = 'member'),
        0), coalesce(sum(amount) filter (where from_kind = 'debt'), 0))
      from transfer
      where %s
      group by member, currency
      order by member collate "C", currency collate "C"
      """;

  @Autowired private World world;
  @Autowired private PayoutReport payouts;
  @Autowired private MonthReport months;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private JdbcClient jdbc;
  @Autowired private Servers servers;

  private Board taking;
  private Period first;
  private Period second;
  private Period owing;

  /** Two days of a board and one of another; after each first day, a winner is excluded. */
  @BeforeEach
  void settleThreePeriods() {
    taking = world.board(Contest.rules().with(REWARDS));
    Board lending = world.board(Contest.rules().with(REWARDS).with("payout: { owed: debt }"));
    first = world.open(taking);
    owing = world.open(lending);
    world.take(Contest.facts());
    world.take(Fact.by("日本").on("post-2"));
    first = world.settle(first);
    owing = world.settle(owing);
    second = world.open(taking);
    world.take(Fact.by("ann").on("post-3"));
    world.take(Fact.by("zoe").on("post-3"));
    second = world.settle(second);
    world.pass(Duration.ofHours(1));
    amend("ann", first);
    amend("bob", owing);
  }

  private void amend(String member, Period period) {
    exclude(member, period);
    amend(period);
  }

  private void amend(Period period) {
    prepare(period);
    amendments.approve(period.id(), null, "bob", "right so");
  }

  private void exclude(String member, Period period) {
    exclusions.exclude(
        new Terms(new MemberId(member), ExclusionLevel.HIDDEN, period.board(), null, null),
        "cheats",
        "zoe");
  }

  private void prepare(Period period) {
    var request = new AmendmentRequest("zoe", "without cheats", null, Map.of());
    assertThat(amendments.prepare(period.id(), request)).isPresent();
  }

  @Test
  void aFileThatWasMadeBeforeWithTheSameTransfersIsNamed() {
    Payout one = payouts.ofPeriod(first.board(), first.name(), null);
    Payout whole = payouts.ofBoard(first.board(), null, null);
    payouts.keep(one, "ann", world.now());
    payouts.keep(payouts.ofPeriod(owing.board(), owing.name(), null), "ann", world.now());
    assertThat(payouts.overlapping(one)).as("the same file again").isEmpty();
    assertThat(payouts.overlapping(payouts.ofPeriod(second.board(), second.name(), null)))
        .isEmpty();
    var made = new OverlappingFile(one.reference(), 2, "ann", world.now());
    assertThat(payouts.overlapping(whole)).containsExactly(made);
    world.pass(Duration.ofHours(1));
    payouts.keep(one, "bob", world.now());
    assertThat(payouts.overlapping(whole)).as("who made it first").containsExactly(made);
  }

  /** Its references are the same, and its sums are not: who pays them again pays twice. */
  @Test
  void theLatestOfTheFilesThatHadOtherRevisionsIsNamedWithTheirNumber() {
    Payout one = period(second, null);
    payouts.keep(one, "ann", world.now());
    assertThat(payouts.earlierFiles(one)).as("the same file again").isEmpty();
    var byAnn = new EarlierFiles(1, 1, "ann", world.now());
    world.pass(Duration.ofHours(1));
    amend(second); // Without ann, who was excluded from the board since.
    Payout two = period(second, null);
    assertThat(two.reference()).isEqualTo(one.reference());
    assertThat(payouts.earlierFiles(two)).contains(byAnn);
    payouts.keep(two, "bob", world.now());
    assertThat(payouts.earlierFiles(two)).as("somebody may have paid by it still").contains(byAnn);
    assertThat(payouts.earlierFiles(period(second, 2))).as("another reference").isEmpty();
    var byBob = new EarlierFiles(2, 2, "bob", world.now());
    world.pass(Duration.ofHours(1));
    payouts.keep(two, "kim", world.now());
    amend("zoe", second);
    Payout three = period(second, null);
    assertThat(three.outcomes()).hasSize(3);
    assertThat(payouts.earlierFiles(three)).as("bob may have paid the difference").contains(byBob);
    assertThat(payouts.overlapping(payouts.ofBoard(second.board(), null, null)))
        .as("one for each reference")
        .containsExactly(new OverlappingFile(two.reference(), 2, "bob", byBob.madeAt()));
    assertThat(payouts.countOverlapping(payouts.ofBoard(second.board(), null, null))).isOne();
  }

  @Test
  void anEmptyFileIsNoEarlierOne() {
    Period third = world.open(taking);
    payouts.keep(period(third, null), "ann", world.now());
    world.take(Fact.by("cid").on("post-4"));
    third = world.settle(third);
    Payout one = period(third, null);
    assertThat(payouts.earlierFiles(one)).isEmpty();
    payouts.keep(one, "bob", world.now());
    var byBob = new EarlierFiles(1, 1, "bob", world.now());
    amend("cid", third);
    assertThat(payouts.earlierFiles(period(third, null)))
        .as("who looked before anything was posted hides no file")
        .contains(byBob);
  }

  private List<PayoutLine> lines(Payout payout) {
    var lines = new ArrayList<PayoutLine>();
    payouts.each(payout, lines::add);
    return lines;
  }

  private void assertLedger(Payout payout, String condition) {
    List<String> ledger = jdbc.sql(TRANSFERS.formatted(condition)).query(String.class).list();
    assertThat(ledger).isNotEmpty();
    assertThat(lines(payout).stream().map(PayoutReportTest::text)).isEqualTo(ledger);
  }

  private static String text(PayoutLine line) {
    return "%s %s %d %d %d %d"
        .formatted(
            line.member(),
            line.currency(),
            line.transfers(),
            line.paid(),
            line.takenBack(),
            line.owed());
  }

  private static String of(Period period) {
    return "board = '%s' and period = '%s'".formatted(period.board(), period.name());
  }

  private Payout period(Period period, @Nullable Integer revision) {
    return payouts.ofPeriod(period.board(), period.name(), revision);
  }

  @Test
  void aPeriodsPayoutIsTheLedgers() {
    for (Period period : List.of(first, second, owing)) {
      assertLedger(period(period, null), of(period));
      assertLedger(period(period, 1), of(period) + " and revision = 1");
    }
    assertLedger(period(first, 2), of(first) + " and revision = 2");
    assertThat(lines(period(first, null)).stream().map(PayoutReportTest::text))
        .contains("ann credits 4 1040 1040 0");
  }

  @Test
  void aMemberThatOnlyOwesIsNotLeftOut() {
    assertThat(lines(period(owing, 2)).stream().map(PayoutReportTest::text))
        .contains("bob gems 1 0 0 7");
  }

  @Test
  void aRangesPayoutIsTheLedgersOfItsPeriods() {
    String board = "board = '%s'".formatted(taking.id());
    assertLedger(payouts.ofBoard(taking.id(), null, null), board);
    assertLedger(payouts.ofBoard(taking.id(), null, second.slot().startsAt()), of(first));
    assertLedger(payouts.ofBoard(taking.id(), second.slot().startsAt(), null), of(second));
    assertThat(payouts.ofBoard(taking.id(), second.slot().endsAt(), null).outcomes()).isEmpty();
  }

  @Test
  void aMonthsPayoutIsWhatWasPostedInIt() {
    for (ZoneId zone : List.of(ZoneOffset.UTC, ZoneId.of("Pacific/Chatham"))) {
      var november = new Month(YearMonth.of(2026, 11), zone);
      assertLedger(payouts.ofMonth(november, world.now()), "true");
      for (MonthSum sum : months.sums(november)) {
        if (sum.board() == null) {
          assertThat(
                  lines(payouts.ofMonth(november, world.now())).stream()
                      .filter(line -> line.currency().equals(sum.currency()))
                      .mapToLong(PayoutLine::net)
                      .sum())
              .isEqualTo(sum.net().longValueExact());
        }
      }
    }
    assertThat(
            lines(payouts.ofMonth(new Month(YearMonth.of(2026, 12), ZoneOffset.UTC), world.now())))
        .isEmpty();
  }

  @Test
  void whatIsNotPostedIsInNoPayout() {
    Payout whole = payouts.ofBoard(taking.id(), null, null);
    List<PayoutLine> before = lines(whole);
    exclude("zoe", second);
    prepare(second);
    assertThat(payouts.ofBoard(taking.id(), null, null)).isEqualTo(whole);
    assertThat(lines(whole)).isEqualTo(before);
    assertThat(period(second, 2).outcomes()).isEmpty();
  }

  @Test
  void aReferenceIsOneLinesAndStaysTheSame() {
    Payout whole = period(first, null);
    List<String> references = references(whole);
    assertThat(references)
        .doesNotHaveDuplicates()
        .contains("%s/%s/credits/ann".formatted(first.board(), first.name()));
    amend("cid", first);
    Payout later = period(first, null);
    assertThat(references(later)).containsAll(references);
    List<String> all =
        Stream.of(
                later,
                period(first, 1),
                period(first, 2),
                period(second, null),
                payouts.ofBoard(taking.id(), null, null),
                payouts.ofBoard(taking.id(), first.slot().startsAt(), null),
                payouts.ofMonth(new Month(YearMonth.of(2026, 11), ZoneOffset.UTC), world.now()),
                payouts.ofMonth(
                    new Month(YearMonth.of(2026, 11), ZoneId.of("Asia/Tokyo")), world.now()))
            .flatMap(payout -> references(payout).stream())
            .toList();
    assertThat(all).doesNotHaveDuplicates();
  }

  private List<String> references(Payout payout) {
    return lines(payout).stream().map(payout::reference).toList();
  }

  /** Outcomes with own tables are read in slices, so that a statement locks few of them. */
  @Test
  void slicesAddUpToTheSame() {
    Payout month = payouts.ofMonth(new Month(YearMonth.of(2026, 11), ZoneOffset.UTC), world.now());
    var merged = new ArrayList<PayoutLine>();
    payouts.each(month, month.outcomes().stream().map(List::of).toList(), merged::add);
    assertThat(month.outcomes()).hasSize(5);
    assertThat(merged).isEqualTo(lines(month)).hasSizeGreaterThan(8);
    List<Integer> outcomes = IntStream.rangeClosed(-3, 5).filter(i -> i != 0).boxed().toList();
    assertThat(PayoutReport.slices(outcomes, 2))
        .containsExactly(List.of(-3, -2, -1), List.of(1, 2), List.of(3, 4), List.of(5));
    assertThat(PayoutReport.slices(List.of(), 2)).isEmpty();
  }

  @Test
  void aFileThatDoesNotAddUpFails() {
    Payout payout = period(first, null);
    servers.tampered(
        "delete from payment where member = 'cid' and outcome = " + payout.outcomes().get(0),
        () ->
            assertThatThrownBy(() -> lines(payout))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("do not use it"));
  }
}
