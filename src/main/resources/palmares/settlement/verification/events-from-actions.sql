-- Proves that each event changed the points by what its action is worth, its value says, or the
-- event that it undoes had given.
-- A row: an event that changed the points by another amount.

with worth as (
  select * from unnest(:actions::text[], :points::bigint[]) as worth (action, points)
), valued as (
  select
    period_id,
    seq,
    id,
    member,
    value - coalesce(lag(value) over (partition by period_id, member order by seq), 0)
      as change,
    points
  from event
  where period_id = any(:ids) and outcome = 'applied' and value is not null
), wrong as (
  select period_id, seq, id, member, change || ' points' as derived, points
  from valued
  where change <> points
  union all
  select
    event.period_id,
    event.seq,
    event.id,
    event.member,
    worth.points::numeric * event.quantity || ' points',
    event.points
  from event
  left join worth on worth.action = event.action
  where event.period_id = any(:ids)
    and event.outcome = 'applied'
    and event.value is null
    and event.points is distinct from worth.points::numeric * event.quantity
  union all
  select
    undone.period_id,
    undone.seq,
    undone.id,
    undone.member,
    'minus what was applied',
    undone.points
  from event undone
  where undone.period_id = any(:ids)
    and undone.outcome = 'undone'
    and not exists (
      select from event applied
      where applied.period_id = undone.period_id
        and applied.member = undone.member
        and applied.action = undone.action
        and applied.subject = undone.subject
        and applied.points = -undone.points
        and applied.then_by = -undone.then_by
        and applied.outcome = 'applied'
        and applied.seq < undone.seq)
)
select
  period_id,
  'event ' || id || ' of ' || member as what,
  derived,
  points || ' points' as stored
from wrong
order by period_id, seq
