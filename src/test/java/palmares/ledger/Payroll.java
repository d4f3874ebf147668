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
    jdbc.sql(
            """
            insert into revision (
              period_id, revision, definition_hash, owed, prepared_by, prepared_at)
            values (:period, 1, :hash, 'take', 'test', now())
            """)
        .param("period", period.id().value())
        .param("hash", period.definitionHash())
        .update();
  }

  /** Adds what each of these members is to be paid. */
  Payroll awards(String rule, Map<String, Long> credits) {
    String[] members = credits.keySet().toArray(String[]::new);
    Long[] amounts = credits.values().toArray(Long[]::new);
    jdbc.sql(
            """
            insert into standing (period_id, revision, place, rank, member, points, reached_at)
            select :period, 1, others.places + place, 1, member, 0, now()
            from unnest(:members::text[]) with ordinality as payee (member, place),
              (select coalesce(max(place), 0) as places
                from standing
                where period_id = :period) as others
            on conflict (period_id, revision, member) do nothing
            """)
        .param("period", lease.period().value())
        .param("members", members)
        .update();
    jdbc.sql(
            """
            insert into award (period_id, revision, member, rule, credits)
            select :period, 1, member, :rule, credits
            from unnest(:members::text[], :credits::bigint[]) as due (member, credits)
            """)
        .param("period", lease.period().value())
        .param("rule", rule)
        .param("members", members)
        .param("credits", amounts)
        .update();
    return this;
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
