-- Proves that each event changed the points by what its action is worth, its value says, or the
-- event that it undoes had given.
-- One pass finds the few events that may differ. Those with values are judged by the values before
-- them, so on boards whose events bring values all of these are read again.
-- A row: an event that changed the points by another amount.

with worth as (
  select * from unnest(:actions::text[], :points::bigint[]) as worth (action, points)
), picked as materialized (
  select event.*, worth.points as worth
  from event
  left join worth on worth.action = event.action
  where event.period_id = any(:ids)
    and (event.outcome = 'undone'
      or event.outcome = 'applied'
        and case
          when event.value is not null then :scoring = 'add'
          -- A product of two numbers of 31 bits does not overflow.
          when worth.points between 0 and 2147483647
              and event.quantity between 0 and 2147483647
            then event.points <> worth.points * event.quantity
          else event.points is distinct from worth.points::numeric * event.quantity end)
), valued as (
  select
    period_id,
    seq,
    id,
    member,
    value - coalesce(lag(value) over (partition by period_id, member order by seq), 0)
      as change,
    points
  from (
    select period_id, seq, id, member, value, points
    from picked
    where outcome = 'applied' and value is not null
    union all
    select period_id, seq, id, member, value, points
    from event
    where :scoring <> 'add'
      and period_id = any(:ids)
      and outcome = 'applied'
      and value is not null
  ) event
), wrong as (
  select period_id, seq, id, member,
    said('difference.points', jsonb_build_object('points', change)) as derived,
    points
  from valued
  where change <> points
  union all
  select period_id, seq, id, member,
    case when worth is not null then
      said('difference.points', jsonb_build_object('points', worth::numeric * quantity)) end,
    points
  from picked
  where outcome = 'applied' and value is null
  union all
  select
    undone.period_id,
    undone.seq,
    undone.id,
    undone.member,
    said('difference.minus-applied'),
    undone.points
  from picked undone
  where undone.outcome = 'undone'
    and exists (select from picked where outcome = 'undone')
    and not exists (
      select from event applied
      where applied.period_id = undone.period_id
        and applied.member = undone.member
        and applied.action = undone.action
        and applied.subject = undone.subject
        and applied.period_id = any(:ids)
        and applied.points = -undone.points
        and applied.then_by = -undone.then_by
        and applied.outcome = 'applied'
        and applied.seq < undone.seq)
)
select
  period_id,
  said('difference.event', jsonb_build_object('event', id, 'member', member)) as what,
  derived,
  said('difference.points', jsonb_build_object('points', points)) as stored
from wrong
order by period_id, seq
