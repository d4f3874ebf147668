-- Proves that as many events were drained from the journal as were counted at the seal, or in the
-- rebuilt live board.
-- A row: a period that drained another number.

select period.id as period_id, said('difference.drained-events') as what,
  coalesce(rebuilt_events, sealed_events)::text as derived, drained::text as stored
from period
left join journal_position on journal_position.period_id = period.id
where period.id = any(:ids)
  and coalesce(rebuilt_events, sealed_events) <> coalesce(drained, 0)
order by period.id
