package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Each night verifies the payments of a share of the history, and within a month all of them. */
@WorldTest
class PaymentSharesTest {
  private static final int OLD_OUTCOMES = 1_500;
  private static final LocalDate NIGHT = LocalDate.of(2026, 11, 20);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Verification verification;
  @Autowired private VerificationScope scope;

  @BeforeEach
  void aLongHistory() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    servers.unguarded(
        () -> {
          ReadRowsTest.OTHERS.forEach(sql -> servers.sql(sql, OLD_OUTCOMES));
          servers.sql(
              """
              insert into payment
              select amount, payment.outcome - 1000 - n, rule, purpose, member
              from payment
              cross join generate_series(1, ?) n
              """,
              OLD_OUTCOMES);
        });
    servers.sql("analyze payment_shared");
    servers.sql("analyze revision");
  }

  @Test
  void eachOutcomeIsInTheShareOfOneNightOfThirty() {
    var seen = new ArrayList<Integer>();
    for (int n = 0; n < VerificationScope.SHARES; n++) {
      List<Integer> share = share(NIGHT.plusDays(n), 1);
      assertThat(share).hasSizeBetween(50, 51);
      seen.addAll(share);
    }
    List<Integer> all = jdbc.sql("select id from revision").query(Integer.class).list();
    assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
    assertThat(share(NIGHT, Long.MAX_VALUE)).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void sharesOfMissedNightsAreVerifiedWithTheNextOne() {
    var missed = new ArrayList<Integer>();
    for (int n = 0; n < 3; n++) {
      missed.addAll(share(NIGHT.minusDays(n), 1));
    }
    assertThat(share(NIGHT, 3)).containsExactlyInAnyOrderElementsOf(missed);
  }

  private List<Integer> share(LocalDate night, long nights) {
    return scope.posted(night, nights).stream().flatMap(List::stream).toList();
  }

  @Test
  void aNightReadsThePaymentsOfItsShareOnly() {
    long all = records.number("select count(*) from payment");
    var findings = new Findings();
    Long read =
        transaction.execute(
            status -> {
              long before = readPayments();
              scope.posted(NIGHT, 1).forEach(share -> verification.verifyPayments(findings, share));
              return readPayments() - before;
            });
    assertThat(findings.named()).isEmpty();
    assertThat(read).isBetween(1L, all / VerificationScope.SHARES * 2);
  }

  private long readPayments() {
    return records.number(
        """
        select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)
        from pg_stat_xact_user_tables
        where relname = 'payment_shared'
        """);
  }

  @Test
  void aForgedOldPaymentIsFoundInTheNightOfItsShare() {
    servers.unguarded(
        () ->
            servers.sql(
                """
                update payment set amount = amount + 1
                where member = 'ann' and rule = 1 and outcome = (select min(id) from revision)
                """));
    int forged = Math.toIntExact(records.number("select min(id) from revision"));
    LocalDate found =
        NIGHT
            .datesUntil(NIGHT.plusDays(VerificationScope.SHARES))
            .filter(night -> share(night, 1).contains(forged))
            .findFirst()
            .orElseThrow();
    assertThat(differences(found))
        .extracting(one -> Texts.english(one.what()))
        .singleElement()
        .asString()
        .startsWith("payments of revision 1 of");
    assertThat(differences(found.plusDays(1))).isEmpty();
  }

  /** What the share of a night shows; the outcomes of this history have no other rows. */
  private List<Difference> differences(LocalDate night) {
    var findings = new Findings();
    transaction.executeWithoutResult(
        status ->
            scope.posted(night, 1).forEach(share -> verification.verifyPayments(findings, share)));
    return findings.named();
  }
}
