-- Proves that a person archived what is archived: the audit log has one archiving that dropped the
-- journal, with the same time and the SHA-256 of the file.
-- A row: an archiving that is not the one in the audit log.

with entered as (
  select
    period.id,
    string_agg(
      format('at %s%s', micros(at),
        case when details->>'sha256' ~ '^[0-9a-f]+$' then '' else ', without a file' end),
      ', ' order by audit_entry.id) as archiving
  from audit_entry
  join period
    on period.board = audit_entry.board and period.name = audit_entry.period
    and period.id = any(:ids)
  where verb = 'archive' and details->'dropped' is not null
  group by period.id
)
select
  period.id as period_id,
  'archiving' as what,
  entered.archiving as derived,
  'at ' || micros(archived_at) as stored
from period
left join entered on entered.id = period.id
where period.id = any(:ids)
  and entered.archiving is distinct from 'at ' || micros(archived_at)
order by 1
