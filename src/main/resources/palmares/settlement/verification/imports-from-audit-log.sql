-- Proves that the periods whose events an import has applied are those of its audit entries, with the
-- same person and sources.
-- A row: an audit entry with other periods, or periods that the audit log lacks. Those of an import
-- that still runs have no entry yet. Details are not cast, as a forged one may be of any type.

with derived as (
  select
    board,
    details->'import' as import,
    at,
    said('difference.import', jsonb_build_object(
      'periods', details->'periods',
      'first', details->>'first',
      'last', details->>'last',
      'sources', details->>'sources',
      'by', by,
      'sha256', details->>'periodsSha256')) as text
  from audit_entry
  where verb = 'import'
), stored as (
  select
    board,
    to_jsonb(import_run.id) as import,
    entered_at as at,
    said('difference.import', jsonb_build_object(
      'periods', count(*),
      'first', (array_agg(name order by starts_at))[1],
      'last', (array_agg(name order by starts_at desc))[1],
      'sources', left(sources, 200),
      'by', by,
      'sha256', imported_hash(array_agg(concat_ws(' ', name, n) order by starts_at)))) as text
  from imported_period
  join import_run on import_run.id = import_run_id
  join period on period.id = period_id
  where entered_at is not null
  group by board, import_run.id, entered_at
)
select
  0 as period_id,
  said('difference.audited-import', jsonb_build_object('run', import, 'board', board, 'at', at))
    as what,
  derived.text as derived,
  stored.text as stored
from derived
full join stored using (board, import, at)
where derived.text is distinct from stored.text
order by 2
