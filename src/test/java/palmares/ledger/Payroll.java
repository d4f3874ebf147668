package palmares.ledger;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;

/** Awards written by hand, to be posted: the ledger knows nothing of where they come from. */
final class Payroll {
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Ledger ledger;
  private final Lease lease;

  Payroll(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Ledger ledger,
      Leases leases,
      Period period) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.ledger = ledger;
    this.lease = leases.take(period.id(), "test").orElseThrow();
  }

  /** Adds what each of these members is to be paid. */
  Payroll awards(String rule, Map<String, Long> credits) {
    credits.forEach(
        (member, amount) -> {
          stand(member);
          jdbc.sql("insert into award values (?, 1, ?, ?, ?)")
              .params(lease.period().value(), member, rule, amount)
              .update();
        });
    return this;
  }

  private void stand(String member) {
    jdbc.sql(
            """
            insert into standing (period_id, revision, place, rank, member, points, reached_at)
            select ?, 1, count(*) + 1, 1, ?, 0, now() from standing where period_id = ?
            on conflict (period_id, revision, member) do nothing
            """)
        .params(lease.period().value(), member, lease.period().value())
        .update();
  }

  Posted post() {
    return transaction.execute(status -> ledger.post(posting()));
  }

  /** Posts, then dies before the commit. */
  void postInVain() {
    transaction.executeWithoutResult(
        status -> {
          ledger.post(posting());
          status.setRollbackOnly();
        });
  }

  private Posting posting() {
    return new Posting(lease.period().value(), 1, lease.fence());
  }

  Lease lease() {
    return lease;
  }
}
