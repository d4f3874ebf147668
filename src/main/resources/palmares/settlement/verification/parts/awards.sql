-- What each member is entitled to by each rule: for a place, points, taking part, or actions, in time
-- or late and accepted. What no rule asks for is not read. If the journal is archived, the awards
-- for actions are taken as stored: the manifest has their sums, and they may decide which rule is
-- the first that awards. Where the payout matches the first rule only, that alone awards. What a
-- member is awarded is what it is entitled to, unless its line is withheld.
-- The halves of the points are added up: that is faster than a sum of bigints, and cannot overflow.
-- Awards for actions in one big period are screened first (suspects.sql): only those of suspects
-- are derived here.

\ir reward-rules.sql
\ir suspects.sql
\ir ranked-lines.sql
\ir prize-places.sql
by_step as (
  select distinct on (period_id, member, n) period_id, member, n, credits
  from ranked
  cross join rule
  join band using (n)
  where :pointRules
    and allowed
    and kind = 'points'
    and (case when :fewestWin then points <= last else points >= last end)
  order by
    period_id, member, n, case when :fewestWin then last else -last end
), by_taking_part as (
  select period_id, member, n, credits
  from ranked
  cross join rule
  join band using (n)
  where :takingPart and allowed and kind = 'part'
), done as (
  select
    period_id,
    member,
    action,
    exact_sum(points >> 32) as points_high,
    exact_sum(points & 4294967295) as points_low
  from (
    select period_id, member, action, points
    from event
    where not :screened
      and period_id = any(:ids)
      and action = any(:ruleActions)
      and points <> 0
    union all
    select period_id, member, action, points
    from suspect
    join event using (member)
    where :screened and period_id = any(:ids) and action = any(:ruleActions) and points <> 0
    union all
    select correction.period_id, correction.member, late_event.action, correction.points
    from correction
    join period on period.id = correction.period_id and period.id = any(:ids)
    join late_event
      on late_event.board = period.board
      and late_event.period = period.name
      and late_event.id = correction.event_id
    where correction.period_id = any(:ids)
      and correction.revision = :revision
      and correction.kind = 'late-event'
  ) counted
  group by period_id, member, action
  having case
    when exact_sum(points >> 32) between -1073741824 and 1073741823
      then (exact_sum(points >> 32) << 32) + exact_sum(points & 4294967295) > 0
    else exact_sum(points >> 32) > 0 end
), action_rule as materialized (
  select id as period_id, n, rule.action, coalesce(given.points, worth) as worth, credits
  from unnest(:ids::bigint[]) as id
  cross join rule
  join band using (n)
  left join (
    select period_id, action, max(points / nullif(quantity, 0)) as points
    from event
    where (not :screened or exists (select from suspect))
      and period_id = any(:ids)
      and action = any(:ruleActions)
      and points <> 0
    group by period_id, action
  ) given on given.period_id = id and given.action = rule.action
  where kind = 'action'
), by_action as (
  select
    period_id,
    member,
    n,
    credits * case
      when points_high between -1073741824 and 1073741823
        then ((points_high << 32) + points_low) / worth
      else div(points_high * 4294967296::numeric + points_low, worth) end as credits
  from done
  join action_rule using (period_id, action)
  join ranked using (period_id, member)
  where :actionRules and not :archived and allowed
  union all
  select part.period_id, payment.member, rule.n,
    sum(case when purpose in (1, 5) then amount else -amount end)
  from {payments} payment
  -- In the join: if a constant makes WHERE false, no partition is pruned.
  join revision part
    on part.id = payment.outcome and payment.outcome = any(:outcomes::int[] || :formers::int[])
  join prize on prize.outcome = payment.outcome and prize.rule = payment.rule
  join rule
    on rule.kind = 'action' and rule.name = prize.name and rule.currency = prize.currency
  where :actionRules and :archived
  group by part.period_id, payment.member, rule.n
),
due as not materialized (
  select *
  from (
    select * from by_place
    union all select * from by_step
    union all select * from by_taking_part
    union all select * from by_action
  ) award
  where credits > 0
), entitled as (
  select period_id, member, rule.name as rule, rule.currency, credits
  from (
    select period_id, member, n, credits from due where not :matchFirst
    union all
    select period_id, member, n, credits
    from (select *, min(n) over (partition by period_id, member) as first from due) award
    where :matchFirst and n = first
  ) given
  join rule using (n)
), withheld as (
  select period_id, member
  from flagged_line flag
  where period_id = any(:ids)
    and not exists (
      select from line_decision released
      where released.period_id = flag.period_id
        and released.member = flag.member
        and decision = 'release'
        and since_revision <= :revision)
), awarded as (
  select *
  from entitled
  where not exists (
    select from withheld
    where withheld.period_id = entitled.period_id and withheld.member = entitled.member)
),
