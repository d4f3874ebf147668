-- Proves that a person archived what is archived, and that the lines and payments that stay are
-- those of that moment, each at its place: the audit entry of the archiving ends with the SHA-256 of
-- the files and of the roots.
-- A row: an archiving that is not the one in the audit log, or an outcome with another root.

with entered as (
  select
    period.id,
    string_agg(
      format('%s at %s', coalesce(substring(reason from '\[([0-9a-f]+ [0-9a-f]+)\]$'), 'none'),
        micros(at)), ', ' order by audit_entry.id) as proof
  from audit_entry
  join period
    on period.board = audit_entry.board and period.name = audit_entry.period
    and period.id = any(:ids)
  where verb = 'archive'
  group by period.id
), kept as (
  select revision.period_id, revision.revision, outcome, what, root
  from archived_root
  join revision on revision.id = archived_root.outcome and revision.period_id = any(:ids)
), derived as materialized (
  select kept.*, root_of(what, outcome) as derived from kept
), archiving as (
  select
    period.id as period_id,
    entered.proof as derived,
    case
      when archived_at is not null
        or exists (select from kept where kept.period_id = period.id)
        then format('%s %s at %s', archive_hash, archive_digest(period.id), micros(archived_at))
      end as stored
  from period
  left join entered on entered.id = period.id
  where period.id = any(:ids)
)
select period_id, 'archiving' as what, derived, stored
from archiving
where derived is distinct from stored
union all
select
  period_id,
  format('%s of revision %s as archived', what, revision),
  derived,
  root
from derived
where derived is distinct from root
order by 1, 2
