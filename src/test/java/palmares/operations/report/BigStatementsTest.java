package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import palmares.testing.Records;

/** The same of outcomes that have own tables, each of which is locked while it is read. */
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigStatementsTest extends StatementsTest {
  private static final String LOCKED =
      """
      select count(*) from pg_locks
      where relation::regclass::text ~ '(^|\\.)(line|payment)_[0-9]+$'
      """;

  @Autowired private LedgerReport ledgerReport;
  @Autowired private Records records;
  @Autowired private JdbcClient jdbc;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void balancesAreWrittenWithoutLocksOnOutcomes(boolean whole) {
    assertThat(jdbc.sql("select count(*) from revision where id > 0").query(Long.class).single())
        .isPositive();
    var locked = new TreeSet<Long>();
    ledgerReport.balances(whole, line -> locked.add(records.number(LOCKED)));
    assertThat(locked).containsExactly(0L);
  }

  @Test
  void balancesThatNobodyReadsToTheirEndLeaveNothingBehind() {
    var read = new AtomicLong();
    for (int i = 0; i < 30; i++) { // more than there are connections
      try {
        ledgerReport.balances(
            true,
            line -> {
              throw new IllegalStateException("the reader is gone");
            });
      } catch (IllegalStateException e) {
        read.incrementAndGet();
      }
    }
    assertThat(read).hasValue(30);
    assertThat(records.number("select count(*) from pg_class where relname like 'ledger_balance%'"))
        .isZero();
  }
}
