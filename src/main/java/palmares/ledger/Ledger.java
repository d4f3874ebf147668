package palmares.ledger;

import java.sql.SQLException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Posts payments exactly once, a batch at a time. */
@Component
public class Ledger {
  /** PostgreSQL's word for a number that its column cannot hold. */
  private static final String OUT_OF_RANGE = "22003";

  private static final String UNEQUAL =
      """
      select count(*)
      from (select * from payable where period_id = :period and revision = :revision) due
      full join (
        select
          transfer.*,
          payer.kind as from_kind,
          payer.name as from_name,
          payee.kind as to_kind,
          payee.name as to_name,
          payer.currency,
          payee.currency as to_currency
        from transfer
        join account payer on payer.id = transfer.from_account
        join account payee on payee.id = transfer.to_account
        where period_id = :period and revision = :revision
      ) done using (member, rule, purpose)
      where (due.amount, due.from_kind, due.from_name, due.to_kind, due.to_name,
          due.currency, due.currency)
        is distinct from (done.amount, done.from_kind, done.from_name, done.to_kind,
          done.to_name, done.currency, done.to_currency)
      """;

  private final JdbcClient jdbc;
  private final Clock clock;

  Ledger(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Posts what of the batch is not posted yet. A payment whose key is there with the same content
   * is done already, and that is success.
   *
   * @throws LedgerMismatch if a key is there with other content, or the ledger holds a transfer of
   *     this batch that is not payable; the transaction must roll back
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Posted post(Posting posting) {
    openAccounts(posting);
    lockAccounts(posting);
    move(posting);
    return check(posting);
  }

  private void openAccounts(Posting posting) {
    run(
        """
        insert into account (kind, name, currency)
        select from_kind, from_name, currency
        from payable
        where period_id = :period and revision = :revision
        union
        select to_kind, to_name, currency
        from payable
        where period_id = :period and revision = :revision
        order by 1, 2, 3
        on conflict (kind, name, currency) do nothing
        """,
        posting);
  }

  /** In the order of their ids, so that two closings that pay the same members never deadlock. */
  private void lockAccounts(Posting posting) {
    jdbc.sql(
            """
            select count(*) from (
              select account.id
              from account
              where (kind, name, currency) in (
                select from_kind, from_name, currency
                from payable
                where period_id = :period and revision = :revision
                union
                select to_kind, to_name, currency
                from payable
                where period_id = :period and revision = :revision)
              order by account.id
              for update) as locked
            """)
        .params(params(posting))
        .query(Long.class)
        .single();
  }

  private void move(Posting posting) {
    try {
      book(posting);
    } catch (DataAccessException e) {
      throw outOfRange(e)
          ? new LedgerMismatch(
              "an account cannot hold what period %d, revision %d, adds to it; nothing was posted:"
                      .formatted(posting.period(), posting.revision())
                  + " look at 'palmares ledger balance', and let the board pay in larger units")
          : e;
    }
  }

  private static boolean outOfRange(DataAccessException e) {
    return e.getMostSpecificCause() instanceof SQLException cause
        && OUT_OF_RANGE.equals(cause.getSQLState());
  }

  private void book(Posting posting) {
    run(
        """
        with posted as (
          insert into transfer (
            period_id, revision, member, rule, purpose, from_account, to_account, amount,
            posted_at, fence)
          select
            payable.period_id, payable.revision, payable.member, payable.rule, payable.purpose,
            payer.id, payee.id, payable.amount, :now, :fence
          from payable
          join account payer
            on payer.kind = payable.from_kind
            and payer.name = payable.from_name
            and payer.currency = payable.currency
          join account payee
            on payee.kind = payable.to_kind
            and payee.name = payable.to_name
            and payee.currency = payable.currency
          where payable.period_id = :period and payable.revision = :revision
          on conflict (period_id, revision, member, rule, purpose) do nothing
          returning id, from_account, to_account, amount
        ), booked as (
          insert into entry (transfer_id, account_id, amount)
          select id, from_account, -amount from posted
          union all
          select id, to_account, amount from posted
          returning account_id, amount
        ), folded as (
          select account_id, sum(amount) as amount from booked group by account_id
        )
        update account
        set balance = account.balance + folded.amount
        from folded
        where account.id = folded.account_id
        """,
        posting);
  }

  private Posted check(Posting posting) {
    long unequal = jdbc.sql(UNEQUAL).params(params(posting)).query(Long.class).single();
    if (unequal > 0) {
      throw new LedgerMismatch(
          ("%d payments of period %d, revision %d, differ from what the ledger holds under their"
                  + " keys; nothing was posted: compare the views payable and account_statement")
              .formatted(unequal, posting.period(), posting.revision()));
    }
    return jdbc.sql(
            """
            select count(*) as transfers
            from transfer
            where period_id = :period and revision = :revision
            """)
        .params(params(posting))
        .query(Posted.class)
        .single();
  }

  private void run(String sql, Posting posting) {
    jdbc.sql(sql).params(params(posting)).update();
  }

  private Map<String, Object> params(Posting posting) {
    return Map.of(
        "period", posting.period(),
        "revision", posting.revision(),
        "fence", posting.fence(),
        "now", clock.instant().atOffset(ZoneOffset.UTC));
  }
}
