-- Proves that each committed event is in the journal, with the outcome, points and details that
-- were acknowledged. An undo takes back the points of the event that it undoes, so its own are not
-- compared.
-- A row: a committed event that the journal lacks or has with other details.

with compared as (
  select
    kept.period_id,
    kept.n,
    kept.id,
    kept.member,
    format('%s with %s points', coalesce(kept.outcome, 'not relayed'), kept.points)
      as derived,
    case when event.id is not null then
      format('%s with %s points, of %s', event.outcome, event.points, event.member)
    end as stored,
    event.id is not null
      and (kept.member, kept.outcome, kept.points)
        is not distinct from (event.member, event.outcome, event.points) as equal,
    concat_ws(', ', committed.action, committed.subject, committed.quantity,
      committed.value, committed.digest, committed.occurred_at,
      case when committed.undo then 'undo' else committed.then_by::text end,
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
  'event ' || id || ' of ' || member as what,
  derived || case when equal then ': ' || derived_details else '' end as derived,
  stored || case when equal then ': ' || stored_details else '' end as stored
from compared
where not equal or derived_details <> stored_details
order by period_id, n
