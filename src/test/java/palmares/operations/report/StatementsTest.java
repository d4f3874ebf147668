package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.report.LedgerReport.BalanceLine;
import palmares.operations.report.LedgerReport.StatementLine;
import palmares.operations.report.Statements.Account;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Statements and the trial balance agree, because both read the posted payments. */
@WorldTest
class StatementsTest {
  @Autowired private World world;
  @Autowired private LedgerReport ledgerReport;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;

  private Period day;

  /** Settles two contests and amends the first, in which ann loses all awards. */
  @BeforeEach
  void twoContests() {
    day = settle();
    settle();
    world.pass(Duration.ofHours(1));
    exclusions.exclude(
        new Terms(new MemberId("ann"), ExclusionLevel.HIDDEN, day.board(), null, null),
        "cheats",
        "zoe");
    assertThat(
            amendments.prepare(
                day.id(), new AmendmentRequest("zoe", "ann cheated", null, Map.of())))
        .isPresent();
    amendments.approve(day.id(), null, "bob", "right so");
  }

  private Period settle() {
    Period period = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    return world.settle(period);
  }

  @Test
  void eachStatementEndsWithTheBalanceOfItsAccount() {
    for (BalanceLine balance : balances()) {
      List<StatementLine> lines =
          statement(String.valueOf(balance.account()), balance.kind(), balance.currency(), 0);
      assertThat(lines).as("%s", balance).isNotEmpty();
      assertThat(lines.get(lines.size() - 1).balance()).isEqualByComparingTo(balance.balance());
      assertThat(lines.stream().mapToLong(line -> line.entry().amount()).sum())
          .isEqualTo(balance.balance().longValueExact());
    }
  }

  @Test
  void allBalancesOfACurrencySumToZero() {
    var sums = new TreeMap<String, BigDecimal>();
    balances().forEach(line -> sums.merge(line.currency(), line.balance(), BigDecimal::add));
    assertThat(sums).isNotEmpty().allSatisfy((currency, sum) -> assertThat(sum).isZero());
  }

  @Test
  void unpostedPaymentsAreInNoStatement() {
    List<BalanceLine> before = balances();
    exclusions.exclude(
        new Terms(new MemberId("bob"), ExclusionLevel.HIDDEN, day.board(), null, null),
        "cheats",
        "zoe");
    assertThat(
            amendments.prepare(
                day.id(), new AmendmentRequest("zoe", "bob cheated", null, Map.of())))
        .isPresent();
    assertThat(balances()).isEqualTo(before);
    assertThat(statement("bob", null, null, 0))
        .isNotEmpty()
        .allMatch(line -> line.entry().amount() > 0);
  }

  @Test
  void aStatementIsInOrderOfPostingAndCanSkipFirstLines() {
    List<StatementLine> all = statement("ann", null, null, 0);
    assertThat(ledgerReport.lines(new Account("ann", null, null))).isEqualTo(all.size());
    assertThat(all).extracting(line -> line.entry().postedAt()).isSorted();
    assertThat(all).extracting(line -> line.entry().purpose()).contains("award", "return");
    assertThat(all.get(all.size() - 1).balance()).isEqualByComparingTo("1040");
    for (int skip = 0; skip <= all.size(); skip++) {
      assertThat(statement("ann", null, null, skip)).isEqualTo(all.subList(skip, all.size()));
    }
  }

  @Test
  void aHousesStatementListsEveryTransfer() {
    String house = "rewards:" + day.board();
    List<StatementLine> lines = statement(house, "house", null, 0);
    long moved =
        ledgerReport.period(day.board(), day.name()).stream()
            .mapToLong(line -> line.transfers())
            .sum();
    assertThat(lines).hasSize((int) moved);
    assertThat(ledgerReport.lines(new Account(house, null, null))).isEqualTo(moved);
    assertThat(lines).extracting(line -> line.entry().revision()).isSorted().contains(1, 2);
    assertThat(ledgerReport.houses()).contains(house);
  }

  @Test
  void anAccountWithoutPostingsHasNoLines() {
    assertThat(ledgerReport.lines(new Account("nobody", null, null))).isZero();
    assertThat(ledgerReport.lines(new Account("rewards:nothing", null, null))).isZero();
    assertThat(ledgerReport.lines(new Account("ann", "house", null))).isZero();
    assertThat(ledgerReport.lines(new Account("ann", null, "gems"))).isZero();
  }

  private List<BalanceLine> balances() {
    var lines = new ArrayList<BalanceLine>();
    ledgerReport.balances(true, lines::add);
    return lines;
  }

  private List<StatementLine> statement(
      String name, @Nullable String kind, @Nullable String currency, long skip) {
    var lines = new ArrayList<StatementLine>();
    ledgerReport.statement(new Account(name, kind, currency), skip, lines::add);
    return lines;
  }
}
