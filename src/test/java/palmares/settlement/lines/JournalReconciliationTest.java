package palmares.settlement.lines;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.settlement.lines.JournalReconciliation.Sums;
import palmares.testing.Servers;
import palmares.testing.WorldTest;

/** Lines have the fingerprint of the journal only if each member has what the journal gives it. */
@WorldTest
class JournalReconciliationTest {
  @Autowired private JournalReconciliation reconciliation;
  @Autowired private Servers servers;

  /** PostgreSQL's hash of a bigint is the same for both numbers of each row. */
  @ParameterizedTest
  @CsvSource({
    "points, 0, 4294967297",
    "points, 0, 8589934594",
    "points, 4294967296, 1",
    "points, 5, 4294967300",
    "then_by, 0, 4294967297",
    "arrival, 0, 4294967297",
    "reached_at, 1970-01-01 00:00:00Z, 1970-01-01 01:11:34.967297Z"
  })
  void membersThatExchangeAValueHaveAnotherFingerprint(String column, String one, String other) {
    Sums before = sums(-901, column, one, other);
    Sums after = sums(-902, column, other, one);
    assertThat(after.members()).isEqualTo(before.members());
    assertThat(after.points()).isEqualTo(before.points());
    assertThat(after.fingerprint()).isNotEqualTo(before.fingerprint());
  }

  private Sums sums(int outcome, String column, String ofAnn, String ofBob) {
    boolean isPoints = column.equals("points");
    String sql =
        isPoints
            ? "insert into line_shared (outcome, member, points) values (%d, '%s', '%s')"
            : "insert into line_shared (outcome, member, points, %4$s) values (%d, '%s', 7, '%s')";
    servers.unguarded(
        () -> {
          servers.sql(sql.formatted(outcome, "ann", ofAnn, column));
          servers.sql(sql.formatted(outcome, "bob", ofBob, column));
        });
    return reconciliation.stored(outcome);
  }
}
