package palmares.audit;

/**
 * The derivations. Each answers rows of {@code period_id, what, derived, stored} where the two
 * differ: null on the left is something extra, null on the right something missing.
 */
final class Sql {
  private Sql() {}

  static final String COUNTS =
      """
      select
        cardinality(:ids::bigint[]) as periods,
        (select count(*) from standing where period_id = any(:ids)) as standings,
        (select count(*) from award where period_id = any(:ids)) as awards,
        (select count(*) from transfer where period_id = any(:ids)) as transfers
      """;

  static final String POPULATION =
      """
      with frozen as (
        select period_id, count(*) as members, sum(points) as points
        from snapshot
        where period_id = any(:ids)
        group by period_id
      ), decided as (
        select period_id, count(*) as events
        from event
        where period_id = any(:ids)
        group by period_id
      ), derived as (
        select
          period.id as period_id,
          coalesce(frozen.members, 0) as members,
          coalesce(frozen.points, 0) as points,
          coalesce(decided.events, 0) as events
        from period
        left join frozen on frozen.period_id = period.id
        left join decided on decided.period_id = period.id
        where period.id = any(:ids)
      )
      select
        derived.period_id,
        'population' as what,
        format('%s members, %s points, %s events',
          derived.members, derived.points, derived.events) as derived,
        format('%s members, %s points, %s events',
          period.sealed_members, period.sealed_points, period.sealed_events) as stored
      from derived
      join period on period.id = derived.period_id
      where (derived.members, derived.points, derived.events)
        is distinct from (period.sealed_members, period.sealed_points, period.sealed_events)
      order by derived.period_id
      """;

  static final String SNAPSHOT_FROM_JOURNAL =
      """
      with derived as (
        select
          period_id,
          member,
          sum(points) as points,
          max(date_bin(:tick::interval, occurred_at, 'epoch')) as reached_at
        from event
        where period_id = any(:ids) and points <> 0
        group by period_id, member
      ), stored as (
        select period_id, member, points, reached_at
        from snapshot
        where period_id = any(:ids)
      )
      select
        period_id,
        'snapshot of ' || member as what,
        derived.points || ' points at ' || derived.reached_at as derived,
        stored.points || ' points at ' || stored.reached_at as stored
      from derived
      full join stored using (period_id, member)
      where (derived.points, derived.reached_at)
        is distinct from (stored.points, stored.reached_at)
      order by period_id, member
      """;

  static final String STANDINGS_FROM_SNAPSHOT =
      """
      with derived as (
        select
          period_id,
          member,
          points,
          reached_at,
          row_number() over exact as place,
          case :method
            when 'unique' then row_number() over exact
            when 'competition' then rank() over tied
            else dense_rank() over tied
          end as rank
        from snapshot
        where period_id = any(:ids)
        window
          exact as (
            partition by period_id
            order by points desc, reached_at, member collate "C" desc),
          tied as (partition by period_id order by points desc)
      ), stored as (
        select period_id, member, points, reached_at, place, rank
        from standing
        where period_id = any(:ids) and revision = 1
      )
      select
        period_id,
        'standing of ' || member as what,
        case when derived.place is not null then
          format('place %s, rank %s, %s points at %s',
            derived.place, derived.rank, derived.points, derived.reached_at) end as derived,
        case when stored.place is not null then
          format('place %s, rank %s, %s points at %s',
            stored.place, stored.rank, stored.points, stored.reached_at) end as stored
      from derived
      full join stored using (period_id, member)
      where (derived.place, derived.rank, derived.points, derived.reached_at)
        is distinct from (stored.place, stored.rank, stored.points, stored.reached_at)
      order by period_id, coalesce(derived.place, stored.place)
      """;

  static final String AWARDS_FROM_RULES =
      """
      with prize as (
        select * from unnest(
          :prizeRules::text[], :froms::bigint[], :tos::bigint[], :prizeCredits::bigint[])
          as prize (rule, first, last, credits)
      ), deed as (
        select * from unnest(
          :deedRules::text[], :deedActions::text[], :worths::bigint[], :deedCredits::bigint[])
          as deed (rule, action, worth, credits)
      ), derived as (
        select standing.period_id, standing.member, prize.rule, prize.credits::numeric as credits
        from standing
        join prize on standing.rank between prize.first and prize.last
        where standing.period_id = any(:ids) and standing.revision = 1
        union all
        select
          event.period_id,
          event.member,
          deed.rule,
          sum(event.points) / deed.worth * deed.credits
        from event
        join deed on deed.action = event.action
        where event.period_id = any(:ids)
        group by event.period_id, event.member, deed.rule, deed.worth, deed.credits
        having sum(event.points) > 0
      ), stored as (
        select period_id, member, rule, credits
        from award
        where period_id = any(:ids) and revision = 1
      )
      select
        period_id,
        'award of ' || member || ' by ' || rule as what,
        derived.credits::bigint || ' credits' as derived,
        stored.credits || ' credits' as stored
      from derived
      full join stored using (period_id, member, rule)
      where derived.credits is distinct from stored.credits
      order by period_id, member, rule
      """;

  static final String TRANSFERS_FROM_AWARDS =
      """
      with derived as (
        select
          award.period_id,
          award.member,
          award.rule,
          award.credits as amount,
          'rewards:' || period.board as payer,
          award.member as payee
        from award
        join period on period.id = award.period_id
        where award.period_id = any(:ids) and award.revision = 1
      ), booked as (
        select
          transfer_id,
          min(account.name) filter (where entry.amount < 0 and account.kind = 'house') as payer,
          min(account.name) filter (where entry.amount > 0 and account.kind = 'member') as payee,
          max(entry.amount) as amount
        from entry
        join account on account.id = entry.account_id
        where transfer_id in (select id from transfer where period_id = any(:ids))
        group by transfer_id
        having count(*) = 2 and sum(entry.amount) = 0
      ), stored as (
        select
          transfer.period_id,
          transfer.member,
          transfer.rule,
          transfer.amount,
          case when booked.amount = transfer.amount then booked.payer end as payer,
          case when booked.amount = transfer.amount then booked.payee end as payee
        from transfer
        left join booked on booked.transfer_id = transfer.id
        where transfer.period_id = any(:ids) and transfer.revision = 1
      )
      select
        period_id,
        'transfer to ' || member || ' by ' || rule as what,
        derived.amount || ' from ' || derived.payer || ' to ' || derived.payee as derived,
        case when stored.amount is not null then
          format('%s from %s to %s', stored.amount, stored.payer, stored.payee) end as stored
      from derived
      full join stored using (period_id, member, rule)
      where (derived.amount, derived.payer, derived.payee)
        is distinct from (stored.amount, stored.payer, stored.payee)
      order by period_id, member, rule
      """;

  static final String BALANCES_FROM_ENTRIES =
      """
      select
        0 as period_id,
        'balance of ' || kind || ' ' || account as what,
        entries || ' ' || currency as derived,
        balance || ' ' || currency as stored
      from trial_balance
      where balance <> entries
      union all
      select 0, 'sum of all balances in ' || currency, '0', sum(balance)::text
      from account
      group by currency
      having sum(balance) <> 0
      """;
}
