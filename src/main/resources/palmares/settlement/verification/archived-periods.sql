-- Proves that a person archived what is archived, and that the lines and payments that stay are
-- those of that moment, each at its place: the audit entry of the archiving ends with the SHA-256 of
-- the files and of the roots. Forgetting a person replaced a root by another one, and files by others:
-- each time, an audit entry has the hash of the files before and after, and whose forgetting it was.
-- A row: an archiving that is not the one in the audit log, or an outcome with another root.

with recursive entered as (
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
), rewritten as (
  select
    period.id,
    array_agg(
      substring(reason from '\[([0-9a-f]+) [0-9a-f]+\]$') order by audit_entry.id) as former,
    array_agg(
      substring(reason from '\[[0-9a-f]+ ([0-9a-f]+)\]$') order by audit_entry.id) as present,
    bool_and(
      exists (
        select from audit_entry forgotten
        where forgotten.verb = 'forget' and forgotten.member = audit_entry.member)
      or exists (select from forgetting where pseudonym = audit_entry.member)) as has_cause
  from audit_entry
  join period
    on period.board = audit_entry.board and period.name = audit_entry.period
    and period.id = any(:ids)
  where verb = 'rewrite-archive'
  group by period.id
), kept as (
  select revision.period_id, revision.revision, outcome, what, root
  from archived_root
  join revision on revision.id = archived_root.outcome and revision.period_id = any(:ids)
), step as (
  select outcome, what, root from kept
  union
  select outcome, what, forgotten_root.root
  from step
  join forgotten_root using (outcome, what)
  where forgotten_root.former = step.root
), present as (
  select outcome, what, string_agg(root, ' ' order by root) as root
  from step
  where not exists (
    select from forgotten_root later
    where later.outcome = step.outcome and later.what = step.what and later.former = step.root)
  group by outcome, what
), derived as materialized (
  select kept.*, root_of(what, outcome) as derived from kept
), archiving as (
  select
    period.id as period_id,
    case
      when rewritten.id is null then entered.proof
      when not has_cause then entered.proof || ', rewritten for nobody'
      when former is distinct from
        array_prepend(split_part(entered.proof, ' ', 1), trim_array(present, 1))
        then entered.proof || ', rewritten from other files'
      else present[cardinality(present)] || substring(entered.proof from ' .*')
      end as derived,
    case
      when archived_at is not null
        or exists (select from kept where kept.period_id = period.id)
        then format('%s %s at %s', archive_hash, archive_digest(period.id), micros(archived_at))
      end as stored
  from period
  left join entered on entered.id = period.id
  left join rewritten on rewritten.id = period.id
  where period.id = any(:ids)
)
select period_id, 'archiving' as what, derived, stored
from archiving
where derived is distinct from stored
union all
select
  period_id,
  format('%s of revision %s as archived', what, revision),
  derived.derived,
  present.root
from derived
left join present using (outcome, what)
where derived.derived is distinct from present.root
order by 1, 2
