-- Proves that a person archived what is archived: the audit log has one archiving that dropped the
-- journal, with the same time and the SHA-256 of the file.
-- A row: an archiving that is not the one in the audit log.

with entered as (
  select
    period.id,
    said('list.all', jsonb_build_object('all', jsonb_agg(
      said(
        case when details->>'sha256' ~ '^[0-9a-f]+$' then 'difference.archived'
          else 'difference.archived-without-file' end,
        jsonb_build_object('at', at))
      order by audit_entry.id))) as archiving
  from audit_entry
  join period
    on period.board = audit_entry.board and period.name = audit_entry.period
    and period.id = any(:ids)
  where verb = 'archive' and details->'dropped' is not null
  group by period.id
)
select
  period.id as period_id,
  said('difference.archiving') as what,
  entered.archiving as derived,
  found.archiving as stored
from period
cross join lateral (
  select case when archived_at is not null then
    said('list.all', jsonb_build_object('all', jsonb_build_array(
      said('difference.archived', jsonb_build_object('at', archived_at)))))
  end as archiving
) found
left join entered on entered.id = period.id
where period.id = any(:ids)
  and entered.archiving is distinct from found.archiving
order by 1
