-- Proves that a board with committed durability has no event in its journal that was not
-- committed.
-- A row: an event of the journal that is no committed event.

select
  event.period_id,
  said('difference.event', jsonb_build_object('event', event.id, 'member', event.member)) as what,
  null as derived,
  said('difference.decided',
    jsonb_build_object('outcome', event.outcome, 'points', event.points)) as stored
from event
left join committed_event committed
  on committed.period_id = event.period_id and committed.id = event.id
where event.period_id = any(:ids)
  and committed.id is null
  and event.outcome <> 'discarded'
order by event.period_id, event.seq
