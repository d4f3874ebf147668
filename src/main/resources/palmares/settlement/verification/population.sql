-- Proves that a period holds what was counted at its seal: members, sum of points, events.
-- A row: a period whose closing lines or events add up to other figures than the sealed ones, or
-- than those of its rebuilt live board.
-- Archived events are in files; their number is taken as counted.

with frozen as (
  select revision.period_id, counted.members, counted.points
  from (
    select outcome, count(*) as members, sum(points) as points
    from {lines} line
    where outcome = any(:closings)
    group by outcome
  ) counted
  join revision on revision.id = counted.outcome and revision.id = any(:closings)
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
    case when archived_at is null then coalesce(decided.events, 0)
      else coalesce(rebuilt_events, sealed_events) end as events
  from period
  left join frozen on frozen.period_id = period.id
  left join decided on decided.period_id = period.id
  where period.id = any(:ids)
)
select
  derived.period_id,
  said('difference.population') as what,
  said('difference.counted', jsonb_build_object(
    'members', derived.members, 'points', derived.points,
    'events', coalesce(to_jsonb(derived.events), said('difference.none')))) as derived,
  said('difference.counted', jsonb_build_object(
    'members', coalesce(
      to_jsonb(rebuilt_members), to_jsonb(sealed_members), said('difference.none')),
    'points', coalesce(
      to_jsonb(rebuilt_points), to_jsonb(sealed_points), said('difference.none')),
    'events', coalesce(
      to_jsonb(rebuilt_events), to_jsonb(sealed_events), said('difference.none')))) as stored
from derived
join period on period.id = derived.period_id and period.id = any(:ids)
where (derived.members, derived.points, derived.events)
  is distinct from (
    coalesce(rebuilt_members, sealed_members), coalesce(rebuilt_points, sealed_points),
    coalesce(rebuilt_events, sealed_events))
order by derived.period_id
