package palmares.ledger;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.ledger.Owing.Prize;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;

/** The revisions of one period, with awards written by hand: posted in their order, and again. */
final class Book {
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Ledger ledger;
  private final Period period;
  private final Lease lease;
  private final String owed;
  private int last;
  private int standing;
  private Map<List<String>, Prize> written = Map.of();

  Book(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Ledger ledger,
      Leases leases,
      Period period,
      String owed) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.ledger = ledger;
    this.period = period;
    this.lease = leases.take(period.id(), "test").orElseThrow();
    this.owed = owed;
  }

  /** Begins a revision that amends the one that was posted last. */
  void begin(Map<List<String>, Prize> awards) {
    last++;
    written = new HashMap<>(awards);
    jdbc.sql(
            """
            insert into revision (
              period_id, revision, base, definition_hash, owed, prepared_by, prepared_at, reason)
            values (?, ?, ?::int, ?, ?, 'test', now(), 'a test')
            """)
        .params(
            Arrays.asList(
                period.id().value(),
                last,
                standing == 0 ? null : standing,
                period.definitionHash(),
                owed))
        .update();
    int[] place = {0};
    awards.keySet().stream()
        .map(key -> key.get(0))
        .distinct()
        .forEach(member -> stand(member, ++place[0]));
    awards.forEach(this::award);
  }

  private void stand(String member, int place) {
    jdbc.sql(
            """
            insert into standing (period_id, revision, place, rank, member, points, reached_at)
            values (?, ?, ?, 1, ?, 0, now())
            """)
        .params(period.id().value(), last, place, member)
        .update();
  }

  private void award(List<String> key, Prize prize) {
    jdbc.sql(
            """
            insert into award (period_id, revision, member, rule, currency, credits)
            values (?, ?, ?, ?, ?, ?)
            """)
        .params(
            period.id().value(), last, key.get(0), key.get(1), prize.currency(), prize.credits())
        .update();
  }

  /** The revision that was begun last is given up. */
  void reject() {
    decide("rejected", false);
  }

  private void decide(String verdict, boolean posted) {
    jdbc.sql(
            """
            update revision
            set verdict = ?, decided_by = 'test', decided_at = now(), verdict_reason = 'a test',
              posted_at = case when ? then now() end
            where period_id = ? and revision = ?
            """)
        .params(verdict, posted, period.id().value(), last)
        .update();
  }

  Posted post() {
    return post(last);
  }

  Posted post(int revision) {
    return transaction.execute(
        status -> ledger.post(new Posting(period.id().value(), revision, lease.fence())));
  }

  /** Posts, then dies before the commit. */
  void postInVain() {
    transaction.executeWithoutResult(
        status -> {
          ledger.post(new Posting(period.id().value(), last, lease.fence()));
          status.setRollbackOnly();
        });
  }

  /** From here on the revision that was posted is the one to amend. */
  void stands(Owing model) {
    decide("approved", true);
    standing = last;
    model.posted(period.board().value(), period.id(), owed, written);
  }

  int standing() {
    return standing;
  }

  Map<List<String>, Prize> written() {
    return written;
  }
}
