package palmares.audit;

/**
 * What holds of the revisions of settled periods. Each statement answers rows as those of {@link
 * FameSql} do.
 */
final class RevisionSql {
  private RevisionSql() {}

  /** The posted ones, by what they are verified by. */
  static final String POSTED =
      """
      select period_id, revision, definition_hash
      from revision
      where period_id = any(:ids) and posted_at is not null
      order by revision, definition_hash, period_id
      """;

  /** A settled period stands in a posted revision, and in the latest of them. */
  static final String STANDING_REVISION =
      """
      select
        period.id as period_id,
        'the revision that stands' as what,
        posted.revision::text as derived,
        period.revision::text as stored
      from period
      left join lateral (
        select max(revision) as revision
        from revision
        where revision.period_id = period.id and posted_at is not null
      ) posted on true
      where period.id = any(:ids) and posted.revision is distinct from period.revision
      union all
      select period_id, 'posting of revision ' || revision, null, decided_by
      from revision
      where period_id = any(:ids) and posted_at is not null
        and (verdict is distinct from 'approved'
          or (base is not null and decided_by = 'the board''s rules')
          or (decided_by <> 'the board''s rules' and not exists (
            select from act
            join period on period.id = revision.period_id
            where act.verb = 'approve'
              and act.board = period.board
              and act.period = period.name
              and act.revision = revision.revision
              and act.by = revision.decided_by
              and act.reason = revision.verdict_reason)))
      order by 1, 2
      """;

  /** No act was changed or removed since: each is linked to the one before it. */
  static final String CHAIN_OF_ACTS =
      """
      with chained as (
        select n, act_id, hash as stored, lag(hash, 1, '') over (order by n) as former
        from act_link
      ), derived as (
        select
          coalesce(act.id, act_id) as id,
          act.verb,
          act.by,
          act.at,
          case when act.id is null then null when n is null then 'a link'
            else encode(sha256(convert_to(concat_ws('|',
              former,
              (extract(epoch from act.at) * 1000000)::bigint,
              quote_nullable(act.by),
              quote_nullable(act.verb),
              quote_nullable(act.board),
              quote_nullable(act.period),
              quote_nullable(act.revision),
              quote_nullable(act.member),
              quote_nullable(act.reason)), 'UTF8')), 'hex') end as derived,
          stored
        from chained
        full join act on act.id = act_id
      )
      select
        0 as period_id,
        concat_ws(' ', 'act', id || ':', verb, 'by ' || by, 'at ' || at) as what,
        derived,
        stored
      from derived
      where derived is distinct from stored
      order by id
      """;

  /** Lines, awards and money of a revision that there is not. */
  static final String OF_NO_REVISION =
      """
      with written as (
        select
          period_id,
          revision,
          1 as step,
          'standing of ' || member as what,
          format('place %s, rank %s, %s points at %s', place, rank, points, reached_at) as stored
        from standing
        where period_id = any(:ids)
        union all
        select
          period_id,
          revision,
          2,
          'award of ' || member || ' by ' || rule,
          credits || ' ' || currency
        from award
        where period_id = any(:ids)
        union all
        select
          transfer.period_id,
          transfer.revision,
          3,
          'transfer to ' || transfer.member || ' by ' || rule,
          format('%s %s from %s to %s', amount, payer.currency, payer.name, payee.name)
        from transfer
        join account payer on payer.id = transfer.from_account
        join account payee on payee.id = transfer.to_account
        where period_id = any(:ids)
      )
      select
        written.period_id,
        what || ' in revision ' || written.revision as what,
        null as derived,
        stored
      from written
      left join revision using (period_id, revision)
      where revision.period_id is null or (step = 3 and revision.posted_at is null)
      order by written.period_id, step, what
      """;

  /**
   * What an amendment posts: the difference of two revisions' awards, and where it goes. Sums of
   * what the transaction wrote a moment ago are never joined to each other, but by a full join: the
   * planner has no statistics of them, and would look each up in all the others.
   */
  static final String TRANSFERS_FROM_AMENDMENT =
      """
      with whole as (
        select period_id, revision.revision, base, owed, board
        from revision
        join period on period.id = revision.period_id
        where period_id = any(:ids) and revision.revision = :revision
      ), change as (
        select
          period_id,
          member,
          rule,
          currency,
          sum(amount) as amount,
          sum(waived) as waived,
          min(owed) as owed,
          min(board) as board
        from (
          select
            whole.period_id,
            award.member,
            award.rule,
            award.currency,
            case award.revision when whole.base then -credits else credits end as amount,
            0 as waived,
            whole.owed,
            whole.board
          from whole
          join award on award.period_id = whole.period_id
            and award.revision in (whole.base, whole.revision)
          union all
          select
            transfer.period_id,
            transfer.member,
            transfer.rule,
            payer.currency,
            0,
            case purpose when 'restored' then -transfer.amount else transfer.amount end,
            null,
            null
          from transfer
          join account payer on payer.id = transfer.from_account
          where transfer.period_id = any(:ids)
            and transfer.revision < :revision
            and purpose in ('debt', 'write-off', 'restored')
        ) part
        group by period_id, member, rule, currency
      ), weighed as (
        select
          *,
          'house rewards:' || board as rewards,
          case owed
            when 'take' then 'member ' || member
            when 'debt' then 'debt ' || member
            else 'house write-offs:' || board
          end as bearer
        from change
      ), derived as (
        select period_id, member, rule, currency, rewards as payer, 'member ' || member as payee,
          'award' as purpose, amount - waived as amount
        from weighed
        where amount > waived and amount > 0
        union all
        select period_id, member, rule, currency, rewards, bearer, 'restored',
          least(amount, waived)
        from weighed
        where amount > 0 and waived > 0
        union all
        select period_id, member, rule, currency, bearer, rewards,
          case owed when 'take' then 'return' else owed end, -amount
        from weighed
        where amount < 0
      ), booked as (
        select
          transfer.period_id,
          transfer.member,
          transfer.rule,
          transfer.purpose,
          transfer.amount,
          count(account.id) = 2 and min(account.currency) = max(account.currency) as sound,
          min(account.currency) as currency,
          min(account.kind || ' ' || account.name) filter (
            where account.id = transfer.from_account and entry.amount = -transfer.amount) as payer,
          min(account.kind || ' ' || account.name) filter (
            where account.id = transfer.to_account and entry.amount = transfer.amount) as payee
        from transfer
        left join entry on entry.transfer_id = transfer.id
        left join account on account.id = entry.account_id
        where transfer.period_id = any(:ids) and transfer.revision = :revision
        group by transfer.id, transfer.period_id, transfer.member, transfer.rule,
          transfer.purpose, transfer.amount
      ), stored as (
        select
          period_id,
          member,
          rule,
          purpose,
          amount,
          case when sound then currency end as currency,
          case when sound then payer end as payer,
          case when sound then payee end as payee
        from booked
      )
      select
        period_id,
        format('%s of %s by %s in revision %s', purpose, member, rule, :revision) as what,
        case when derived.amount is not null then
          format('%s %s from %s to %s', derived.amount, derived.currency, derived.payer,
            derived.payee) end as derived,
        case
          when stored.payer is null or stored.payee is null then
            stored.amount || ' without the two entries that move it'
          else format('%s %s from %s to %s', stored.amount, stored.currency, stored.payer,
            stored.payee)
        end as stored
      from derived
      full join stored using (period_id, member, rule, purpose)
      where (derived.amount, derived.currency, derived.payer, derived.payee)
        is distinct from (stored.amount, stored.currency, stored.payer, stored.payee)
      order by 1, 2
      """;
}
