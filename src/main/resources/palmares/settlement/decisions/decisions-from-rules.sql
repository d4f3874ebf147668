-- Proves that the live board decided on each event as the rules of the period say: within the
-- period's time and the largest quantity, once, up to the caps, and that an undo takes back what the
-- last action gave that it can undo. Of the events of one member, action and subject (or day), the
-- one before says what the next must be: an action counts if none was there or it was undone.
-- Hashes stand for these, since sorting millions of texts takes long. They have a key that is drawn
-- for this run, so that nobody could have made two with the same hash. Decisions that depend on
-- events which are lost or discarded cannot be derived: once and caps are compared up to the first.
-- Without a discarded event that the live board decided wrongly, they are as the rules say.
-- A row: an event on which the rules decide otherwise, unless a person took what was decided.

with rule as materialized (
  select n, action, once, most_at_once, most_a_day, most_a_period,
    once in ('day', 'subject-a-day') as by_day,
    once in ('subject', 'subject-a-day') as by_subject
  from unnest(
    :actions::text[], :onces::text[], :mostAtOnce::bigint[], :mostADay::bigint[],
    :mostAPeriod::bigint[])
    with ordinality as rule (action, once, most_at_once, most_a_day, most_a_period, n)
), day as materialized (
  select :dayStarts::timestamptz[] as starts
), hole as materialized (
  select period_id, min(seq) as first
  from (
    select period_id, seq
    from journal_quarantine
    where period_id = any(:ids) and resolution = 'discarded' and by_rules is null
    union all
    select period_id, before + 1
    from (
      select period_id, seq, lag(seq, 1, 0::bigint) over (partition by period_id order by seq)
        as before
      from event
      where period_id = any(
        array(select period_id from acknowledged_loss where period_id = any(:ids)))
    ) numbered
    where seq > before + 1
  ) missing
  group by period_id
), odd as (
  select
    picked.period_id,
    seq,
    case
      when outside then
        said('rule-decision.outside', jsonb_build_object('from', starts_at, 'to', ends_at))
      when quantity > most_at_once
        then said('rule-decision.too-many', jsonb_build_object('most', most_at_once))
      when quantity < 1 then said('rule-decision.too-few')
      else said('rule-decision.verdict', jsonb_build_object('verdict',
        case when outcome = 'undone' then 'nothing-to-undo' else 'counted' end)) end as derived
  from (
    -- Few of a million events are picked, so that only these are joined.
    select event.period_id, seq, action, subject, outcome, quantity, starts_at, ends_at,
      occurred_at < starts_at or occurred_at >= ends_at as outside
    from event
    join period on period.id = event.period_id and period.id = any(:ids)
    where event.period_id = any(:ids)
      and (occurred_at < starts_at
        or occurred_at >= ends_at
        or quantity > :leastAtOnce
        or quantity < 1
        or outcome in ('repeated', 'undone', 'capped'))
      and outcome <> 'discarded'
  ) picked
  left join rule using (action)
  where outside
    or quantity > most_at_once
    or quantity < 1
    or outcome in ('repeated', 'undone') and (once = 'event' or by_subject and subject is null)
    or outcome = 'capped' and most_a_day = 0 and most_a_period = 0
), fact as not materialized (
  select
    period_id,
    seq,
    quantity,
    points,
    then_by,
    n,
    day,
    case when outcome in ('applied', 'unchanged') then 1
      when outcome = 'repeated' then 2
      when outcome = 'capped' then 3
      when outcome = 'undone' then -1
      when outcome = 'nothing-to-undo' then -2 end as code,
    hashtextextended(member, :key # period_id) as who,
    case
      when by_subject
        then hashtextextended(subject, :key # (n * 1000000 + case when by_day then day else 0 end))
      when once <> 'event' then n * 1000000 + case when by_day then day else 0 end end as once_key
  from (
    select event.*, rule.*,
      case when by_day or most_a_day > 0
        then width_bucket(occurred_at, (select starts from day)) else 0 end as day
    from event
    join rule using (action)
    where :limited
      and event.period_id = any(:ids)
      and (by_subject and subject is not null
        or once in ('day', 'period')
        or most_a_day > 0
        or most_a_period > 0)
      and outcome <> 'discarded'
  ) event
), judged as materialized (
  select *
  from (
    select
      *,
      case
        when once_key is null then null
        when code in (1, 3) and given then 'repeated'
        when code = 2 and given is not true then 'counted'
        when code = -1 and given is not true then 'nothing-to-undo'
        when code = -2 and given then 'undone' end as derived
    from (
      select
        fact.*,
        lag(code) over once in (1, 2) as given,
        max(seq) filter (where code = 1)
          over (once rows between unbounded preceding and 1 preceding) as given_seq
      from fact
      window once as (partition by who, once_key order by seq)
    ) ordered
  ) compared
  where derived is not null or code = -1 or :capped and code in (1, 3)
), undone as materialized (
  select
    judged.period_id,
    judged.seq,
    who,
    n,
    gave.quantity,
    width_bucket(gave.occurred_at, (select starts from day)) as day,
    case when (gave.points, gave.then_by) is distinct from (-judged.points, -judged.then_by)
      then format('undone with %s points', -gave.points) end as derived
  from judged
  join event gave on gave.period_id = judged.period_id and gave.seq = judged.given_seq
  where code = -1 and given and gave.period_id = any(:ids)
), counted as (
  select period_id, seq, who, n, day, code, quantity, case code when 1 then quantity else 0 end
    as change
  from judged
  where :capped and code in (1, 3)
  union all
  select period_id, seq, who, n, day, -1, 0, -quantity
  from undone
  where :capped
), crowded as (
  select
    period_id,
    seq,
    code,
    most_a_day > 0 and quantity + exact_sum(change) over (
      partition by who, n, case when most_a_day > 0 then day end order by seq
      rows between unbounded preceding and 1 preceding) > most_a_day
    or most_a_period > 0 and quantity + exact_sum(change) over (
      partition by who, n order by seq
      rows between unbounded preceding and 1 preceding) > most_a_period as crowded
  from counted
  join rule using (n)
), wrong as (
  select period_id, seq, derived, 1 as turn from judged where derived is not null
  union all
  select period_id, seq, derived, 2 from undone where derived is not null
  union all
  select period_id, seq, case when crowded then 'capped' else 'counted' end, 3
  from crowded
  where code = 1 and crowded or code = 3 and not crowded
), first as (
  select distinct on (period_id, seq) period_id, seq, derived
  from (
    select period_id, seq, derived, 0 as turn from odd
    union all
    select
      period_id,
      seq,
      said('rule-decision.verdict', jsonb_build_object('verdict', derived)),
      turn
    from wrong
    left join hole using (period_id)
    where first is null or seq < first
  ) wrong
  order by period_id, seq, turn
)
select
  period_id,
  seq,
  said('rule-decision.event', jsonb_build_object('event', id, 'member', member)) as what,
  first.derived,
  said('rule-decision.was', jsonb_build_object('outcome', outcome, 'points', points)) as stored
from first
join event using (period_id, seq)
where period_id = any(:ids)
  and not exists (
    select from journal_quarantine taken
    where taken.period_id = first.period_id
      and taken.seq = first.seq
      and taken.resolution = 'released'
      and taken.by_rules is not null)
order by period_id, seq
