package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.report.LedgerReport.StatementLine;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.MonthReport.MonthPeriods;
import palmares.operations.report.MonthReport.MonthSum;
import palmares.operations.report.Statements.Account;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What a month or a statement has said never changes, however late a transaction commits. */
@WorldTest
class MonthEndTest {
  private static final Month NOVEMBER = new Month(YearMonth.of(2026, 11), ZoneOffset.UTC);
  private static final Month DECEMBER = new Month(YearMonth.of(2026, 12), ZoneOffset.UTC);
  private static final Instant BEFORE_THE_END = Instant.parse("2026-11-30T23:59:59Z");
  private static final Instant AFTER_THE_END = Instant.parse("2026-12-01T00:00:05Z");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private PayoutReport payouts;
  @Autowired private MonthReport months;
  @Autowired private LedgerReport ledger;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private TransactionTemplate transaction;

  private Period day;
  private int closing;

  @BeforeEach
  void aSettledPeriodWithAnAmendment() {
    day = world.open(board());
    world.take(Contest.facts());
    day = world.settle(day);
    closing = payouts.ofMonth(NOVEMBER, world.now()).outcomes().get(0);
    exclusions.exclude(
        new Terms(new MemberId("ann"), ExclusionLevel.HIDDEN, day.board(), null, null),
        "cheats",
        "zoe");
    amendments.prepare(day.id(), new AmendmentRequest("zoe", "cheated", null, Map.of()));
    world.now(BEFORE_THE_END);
  }

  private Board board() {
    return world.board(
        Contest.rules().with("rewards:\n  - { rule: podium, ranks: { 1: 1000, 2-3: 300 } }\n"));
  }

  /** Posts and verifies the amendment, in the transaction of the caller. */
  private void approve() {
    amendments.approve(day.id(), null, "bob", "right so");
  }

  @Test
  void whatCommitsAfterAMonthWasReadIsInTheNextMonth() {
    List<Integer> file =
        transaction.execute(
            status -> {
              approve();
              world.now(AFTER_THE_END);
              return CompletableFuture.supplyAsync(this::november).join();
            });
    assertThat(file).containsExactly(closing);
    assertThat(november()).as("made again").isEqualTo(file);
    assertThat(payouts.ofMonth(DECEMBER, world.now()).outcomes())
        .singleElement()
        .isNotEqualTo(closing);
    var later = new Month(YearMonth.of(2026, 12), ZoneId.of("Pacific/Chatham"));
    assertThat(payouts.ofMonth(later, world.now()).outcomes())
        .as("of December from 30 November 10:15 UTC")
        .hasSize(1);
    assertThat(months.sums(NOVEMBER)).extracting(MonthSum::outcomes).containsOnly(1L);
    assertThat(months.sums(DECEMBER)).extracting(MonthSum::outcomes).containsOnly(1L);
    assertThat(months.periods(NOVEMBER))
        .extracting(MonthPeriods::closed, MonthPeriods::amended)
        .containsExactly(tuple(1L, 0L));
    assertThat(months.periods(DECEMBER))
        .extracting(MonthPeriods::closed, MonthPeriods::amended)
        .containsExactly(tuple(0L, 1L));
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void whatCommitsBeforeAMonthIsReadIsInIt() {
    transaction.executeWithoutResult(
        status -> {
          approve();
          world.now(AFTER_THE_END);
        });
    assertThat(november()).hasSize(2).contains(closing);
  }

  @Test
  void theFirstReaderOfAMonthWaitsForWhatCommitsNow() {
    var file = new ArrayList<CompletableFuture<List<Integer>>>();
    transaction.executeWithoutResult(
        status -> {
          approve();
          servers.sql("set constraints all immediate"); // As the beginning of the commit does.
          world.now(AFTER_THE_END);
          file.add(CompletableFuture.supplyAsync(this::november));
          waitUntil(
              """
              select count(*)
              from pg_locks
              join pg_database on pg_database.oid = database and datname = current_database()
              where locktype = 'advisory' and not granted
              """);
        });
    assertThat(file.get(0).orTimeout(20, TimeUnit.SECONDS).join()).hasSize(2).contains(closing);
  }

  @Test
  void aMonthThatIsNotOverStaysOpen() {
    assertThat(november()).containsExactly(closing);
    approve();
    assertThat(november()).hasSize(2);
  }

  @Test
  void aStatementsLineKeepsItsNumber() {
    Period next = world.open(board());
    world.take(Contest.facts());
    world.settle(next);
    List<StatementLine> before = statement();
    world.now(world.now().minusSeconds(1)); // What commits later may have been posted earlier.
    transaction.executeWithoutResult(status -> approve());
    assertThat(before).as("of both periods").hasSize(2);
    assertThat(statement()).hasSizeGreaterThan(2).startsWith(before.toArray(StatementLine[]::new));
  }

  private List<Integer> november() {
    return payouts.ofMonth(NOVEMBER, world.now()).outcomes();
  }

  private List<StatementLine> statement() {
    var lines = new ArrayList<StatementLine>();
    ledger.statement(new Account("ann", "member", null), 0, lines::add);
    return lines;
  }

  private void waitUntil(String sql) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (records.number(sql) == 0) {
      assertThat(System.nanoTime()).as("waited for: %s", sql).isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
