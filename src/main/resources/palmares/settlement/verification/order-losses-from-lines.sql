-- Proves the reported losses of order of an adopted board: members with equal points and time,
-- whose order its scores do not say.
-- A row: points and time at which another number of members, or another kind of loss, is reported.

with derived as (
  select
    period_id,
    points,
    reached_at,
    count(*) as members,
    case
      when not :storesTime then 'no-time'
      when points <= :exactPoints then 'equal-time'
      else 'coarse-time'
    end as kind
  from {lines} line
  join revision on revision.id = line.outcome and revision.id = any(:closings)
  where line.outcome = any(:closings)
  group by period_id, points, reached_at
  having count(*) > 1
), stored as (
  select period_id, points, reached_at, members, kind
  from loss
  where period_id = any(:ids)
)
select
  coalesce(derived.period_id, stored.period_id) as period_id,
  said('difference.order-loss', jsonb_build_object(
    'points', coalesce(derived.points, stored.points),
    'at', coalesce(to_jsonb(coalesce(derived.reached_at, stored.reached_at)),
      said('difference.any-time')))) as what,
  case when derived.members is not null then said('difference.tied',
    jsonb_build_object('members', derived.members, 'kind', derived.kind)) end as derived,
  case when stored.members is not null then said('difference.tied',
    jsonb_build_object('members', stored.members, 'kind', stored.kind)) end as stored
from derived
full join stored
  on stored.period_id = derived.period_id
  and stored.points = derived.points
  and coalesce(stored.reached_at, 'infinity') = coalesce(derived.reached_at, 'infinity')
where (derived.members, derived.kind) is distinct from (stored.members, stored.kind)
order by 1, coalesce(derived.points, stored.points) desc
