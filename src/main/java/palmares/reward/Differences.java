package palmares.reward;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.revision.Revision;

/**
 * Works out what an amendment pays: its awards are written into a temporary table, and what differs
 * from the awards that stand becomes its payments. What a member owes goes as the rules say; what
 * it gets again first restores what was owed or written off before.
 */
@Component
class Differences {
  private static final String WRITE =
      """
      with change as (
        select
          member,
          rule,
          coalesce(present.credits, 0) - coalesce(past.credits, 0) as amount,
          greatest(coalesce(waived.amount, 0), 0) as waived
        from (
          select member, rule, amount as credits from due_payment
        ) present
        full join (
          select award.member, prize.rule, award.credits
          from award
          join prize
            on prize.outcome = :outcome
            and prize.name = award.rule
            and prize.currency = award.currency
          where award.outcome = :base
        ) past using (member, rule)
        full join (
          select
            transfer.member,
            prize.rule,
            sum(case purpose when 'restored' then -amount else amount end) as amount
          from transfer
          join prize
            on prize.outcome = :outcome
            and prize.name = transfer.rule
            and prize.currency = transfer.currency
          where transfer.period_id = :period and purpose in ('debt', 'write-off', 'restored')
          group by transfer.member, prize.rule
        ) waived using (member, rule)
      )
      insert into payment (outcome, rule, purpose, member, amount)
      select :outcome, rule, part.purpose, member, part.amount
      from change
      cross join lateral (
        select
          case :owed when 'take' then 2 when 'debt' then 3 else 4 end as purpose,
          -change.amount as amount
        where change.amount < 0
        union all
        select 5, least(change.amount, waived)
        where change.amount > 0 and waived > 0
        union all
        select 1, change.amount - waived
        where change.amount > waived
      ) part
      order by member
      """;

  private final JdbcClient jdbc;

  Differences(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Makes room for the awards of an amendment. */
  void begin() {
    jdbc.sql("drop table if exists %s".formatted(Revised.AMENDMENT)).update();
    jdbc.sql("create temporary table %s (like payment) on commit drop".formatted(Revised.AMENDMENT))
        .update();
    jdbc.sql("create index on %s (member)".formatted(Revised.AMENDMENT)).update();
  }

  /** Writes the payments of an amendment, once all that it awards is in the temporary table. */
  void write(Revision amendment) {
    jdbc.sql(WRITE)
        .param("outcome", amendment.id())
        .param(
            "base",
            jdbc.sql("select id from revision where period_id = :period and revision = :base")
                .param("period", amendment.period().value())
                .param("base", amendment.base())
                .query(Integer.class)
                .single())
        .param("period", amendment.period().value())
        .param("owed", amendment.owed().word())
        .update();
  }
}
