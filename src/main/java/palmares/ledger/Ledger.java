package palmares.ledger;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Posts payments exactly once, a batch at a time. */
@Component
public class Ledger {
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
        select 'house', house, currency
        from payable
        where period_id = :period and revision = :revision
        union
        select 'member', member, currency
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
                select 'house', house, currency
                from payable
                where period_id = :period and revision = :revision
                union
                select 'member', member, currency
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
    run(
        """
        with posted as (
          insert into transfer (
            period_id, revision, member, rule, from_account, to_account, amount, posted_at, fence)
          select
            payable.period_id, payable.revision, payable.member, payable.rule,
            house.id, member.id, payable.amount, :now, :fence
          from payable
          join account house
            on house.kind = 'house'
            and house.name = payable.house
            and house.currency = payable.currency
          join account member
            on member.kind = 'member'
            and member.name = payable.member
            and member.currency = payable.currency
          where payable.period_id = :period and payable.revision = :revision
          on conflict (period_id, revision, member, rule) do nothing
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
    long unequal =
        jdbc.sql(
                """
                select count(*)
                from (select * from payable where period_id = :period and revision = :revision) due
                full join (
                  select transfer.*, house.name as house, member.name as payee, member.currency
                  from transfer
                  join account house on house.id = transfer.from_account
                  join account member on member.id = transfer.to_account
                  where period_id = :period and revision = :revision
                ) done using (member, rule)
                where (due.amount, due.house, due.currency)
                    is distinct from (done.amount, done.house, done.currency)
                  or done.payee <> member
                """)
            .params(params(posting))
            .query(Long.class)
            .single();
    if (unequal > 0) {
      throw new LedgerMismatch(
          ("%d payments of period %d, revision %d, differ from what the ledger holds under their"
                  + " keys; nothing was posted: compare the views payable and account_statement")
              .formatted(unequal, posting.period(), posting.revision()));
    }
    return jdbc.sql(
            """
            select count(*) as transfers, coalesce(sum(amount), 0) as amount
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
