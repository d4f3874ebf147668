-- Proves that each committed event is in the journal, with the outcome, points and details that
-- were acknowledged. An undo takes back the points of the event that it undoes, so its own are not
-- compared. An event that is repeated or capped gives no second key.
-- A row: a committed event that the journal lacks or has with other details.

with compared as (
  select
    kept.period_id,
    kept.n,
    kept.id,
    kept.member,
    kept.outcome,
    kept.points,
    event.id as stored_id,
    event.member as stored_member,
    event.outcome as stored_outcome,
    event.points as stored_points,
    concat_ws(', ', committed.action, committed.subject, committed.quantity,
      committed.value, committed.digest, committed.occurred_at,
      case
        when committed.undo then 'undo'
        when kept.outcome in ('repeated', 'capped') then '0'
        else committed.then_by::text end,
      case when event.outcome = 'applied' and committed.value is null
        then committed.worth end) as derived_details,
    concat_ws(', ', event.action, event.subject, event.quantity,
      event.value, event.digest, event.occurred_at,
      case when event.outcome in ('undone', 'nothing-to-undo') then 'undo'
        else event.then_by::text end,
      case when event.outcome = 'applied' and event.value is null
        then event.points end) as stored_details
  from kept_commit kept
  join committed_event committed
    on committed.period_id = kept.period_id and committed.n = kept.n
  left join event on event.period_id = kept.period_id and event.id = kept.id
  where kept.period_id = any(:ids)
)
select
  period_id,
  said('difference.event', jsonb_build_object('event', id, 'member', member)) as what,
  said('difference.taken', jsonb_build_object(
    'outcome', coalesce(outcome, 'not-relayed'),
    'points', coalesce(to_jsonb(points), said('difference.none')), 'member', member,
    'details', derived_details)) as derived,
  case when stored_id is not null then said('difference.taken', jsonb_build_object(
    'outcome', stored_outcome, 'points', coalesce(to_jsonb(stored_points), said('difference.none')),
    'member', stored_member, 'details', stored_details)) end as stored
from compared
where stored_id is null
  or (member, outcome, points, derived_details)
    is distinct from (stored_member, stored_outcome, stored_points, stored_details)
order by period_id, n
