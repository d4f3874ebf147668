package palmares.audit;

/**
 * What is derived from awards: transfers, balances. Each statement answers rows of {@code
 * period_id, what, derived, stored}, as those of {@link FameSql} do.
 */
final class MoneySql {
  private MoneySql() {}

  static final String TRANSFERS_FROM_AWARDS =
      """
      with derived as (
        select
          award.period_id,
          award.revision,
          award.member,
          award.rule,
          award.credits as amount,
          award.currency,
          'rewards:' || period.board as payer,
          award.member as payee
        from award
        join period on period.id = award.period_id
        where award.period_id = any(:ids) and award.revision = 1
      ), booked as (
        select
          transfer.period_id,
          transfer.revision,
          transfer.member,
          transfer.rule,
          transfer.amount,
          count(*) = 2
            and sum(entry.amount) = 0
            and max(entry.amount) = transfer.amount
            and min(account.currency) = max(account.currency)
            and transfer.purpose = 'award' as sound,
          min(account.currency) as currency,
          min(account.name) filter (
            where account.id = transfer.from_account
              and account.kind = 'house'
              and entry.amount < 0) as payer,
          min(account.name) filter (
            where account.id = transfer.to_account
              and account.kind = 'member'
              and entry.amount > 0) as payee
        from transfer
        left join entry on entry.transfer_id = transfer.id
        left join account on account.id = entry.account_id
        where transfer.period_id = any(:ids) and transfer.revision = 1
        group by transfer.id, transfer.period_id, transfer.revision, transfer.member,
          transfer.rule, transfer.purpose, transfer.amount
      ), stored as (
        select
          period_id,
          revision,
          member,
          rule,
          amount,
          case when sound then currency end as currency,
          case when sound then payer end as payer,
          case when sound then payee end as payee
        from booked
      )
      select
        period_id,
        'transfer to ' || member || ' by ' || rule as what,
        case when derived.amount is not null then
          format('%s %s from %s to %s',
            derived.amount, derived.currency, derived.payer, derived.payee) end as derived,
        case
          when stored.payer is null or stored.payee is null then
            stored.amount || ' without the two entries that move it'
          else format('%s %s from %s to %s',
            stored.amount, stored.currency, stored.payer, stored.payee)
        end as stored
      from derived
      full join stored using (period_id, revision, member, rule)
      where (derived.amount, derived.currency, derived.payer, derived.payee)
        is distinct from (stored.amount, stored.currency, stored.payer, stored.payee)
      order by period_id, revision, member, rule
      """;

  /** Rows of periods whose state does not know them yet, or of a revision that none has. */
  static final String TOO_EARLY =
      """
      with written as (
        select
          period_id,
          revision,
          1 as step,
          'standing of ' || member as what,
          format('place %s, rank %s, %s points at %s', place, rank, points, reached_at) as stored,
          array['ranked', 'awarded', 'held', 'rejected', 'approved', 'paid', 'settled', 'expired']
            as states
        from standing
        where period_id = any(:ids)
        union all
        select
          period_id,
          revision,
          2,
          'award of ' || member || ' by ' || rule,
          credits || ' credits',
          array['awarded', 'held', 'rejected', 'approved', 'paid', 'settled', 'expired']
        from award
        where period_id = any(:ids)
        union all
        select
          period_id,
          revision,
          3,
          'transfer to ' || member || ' by ' || rule,
          amount::text,
          array['paid', 'settled', 'expired']
        from transfer
        where period_id = any(:ids)
      )
      select
        period_id,
        what || case when written.revision <> 1 then ' in revision ' || written.revision else '' end
          as what,
        null as derived,
        stored
      from written
      join period on period.id = written.period_id
      where period.state <> all(states) or written.revision <> 1
      order by period_id, step, what
      """;

  static final String BALANCES_FROM_ENTRIES =
      """
      select
        0 as period_id,
        'balance of ' || kind || ' ' || account as what,
        transferred || ' ' || currency as derived,
        balance || ' ' || currency as stored
      from trial_balance
      where balance <> transferred
      union all
      select 0, 'sum of all balances in ' || currency, '0', sum(balance)::text
      from trial_balance
      group by currency
      having sum(balance) <> 0
      """;
}
