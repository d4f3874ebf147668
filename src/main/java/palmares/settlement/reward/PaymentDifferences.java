package palmares.settlement.reward;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.payout.OverpaymentPolicy;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/**
 * Computes the payments of an amendment: the differences between its awards, which are written into
 * a temporary table, and the awards in force. The rules say what happens to what a member owes.
 * What it gets again first restores what was owed or written off before.
 */
@Component
class PaymentDifferences {
  private static final String WRITE = SeatSql.read("write-differences.sql");

  private final JdbcClient jdbc;
  private final Revisions revisions;

  PaymentDifferences(JdbcClient jdbc, Revisions revisions) {
    this.jdbc = jdbc;
    this.revisions = revisions;
  }

  /** Creates the temporary table for the awards of an amendment. */
  void begin() {
    jdbc.sql("drop table if exists %s".formatted(RevisionContext.AMENDMENT)).update();
    jdbc.sql(
            "create temporary table %s (like payment) on commit drop"
                .formatted(RevisionContext.AMENDMENT))
        .update();
    jdbc.sql("create index on %s (member)".formatted(RevisionContext.AMENDMENT)).update();
  }

  /** Writes the payments of an amendment from the temporary table. */
  void write(Revision amendment) {
    var posted =
        revisions.parts(amendment.id()).stream().filter(part -> part != amendment.id()).toList();
    jdbc.sql(OutcomeTables.of(amendment.id()).in(WRITE))
        .param("outcome", amendment.id())
        .param("posted", posted)
        .param("owedPurpose", purpose(amendment.owed()))
        .update();
  }

  /** The purpose of payments for what an amendment takes away, as the table numbers purposes. */
  private static int purpose(OverpaymentPolicy policy) {
    return switch (policy) {
      case TAKE -> 2;
      case DEBT -> 3;
      case WRITE_OFF -> 4;
    };
  }
}
