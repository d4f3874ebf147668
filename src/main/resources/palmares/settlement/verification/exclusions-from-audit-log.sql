-- Proves that each exclusion, and each lifting of one, is in the audit log with its member,
-- person, reason and time.
-- A row: an exclusion or lifting that the audit log lacks, or an audit entry without one.

with derived as (
  select verb, member, at, board, by, reason, count(*) as times
  from audit_entry
  where verb in ('exclude', 'lift')
  group by verb, member, at, board, by, reason
), stored as (
  select verb, member, at, board, by, reason, count(*) as times
  from (
    select 'exclude' as verb, member, made_at as at, coalesce(board, 'list:' || list) as board,
      made_by as by, reason
    from exclusion
    union all
    select 'lift', member, lifted_at, coalesce(board, 'list:' || list), lifted_by, lift_reason
    from exclusion
    where lifted_at is not null
  ) made
  group by verb, member, at, board, by, reason
), derived_text as (
  select
    verb, member, at, times,
    said('difference.exclusion-entry', jsonb_build_object('times', times,
      'board', coalesce(to_jsonb(board), said('difference.every-board')), 'by', by,
      'reason', reason)) as text
  from derived
), stored_text as (
  select
    verb, member, at, times,
    said('difference.exclusion-entry', jsonb_build_object('times', times,
      'board', coalesce(to_jsonb(board), said('difference.every-board')), 'by', by,
      'reason', reason)) as text
  from stored
)
select
  0 as period_id,
  said('difference.audited-exclusion', jsonb_build_object('verb', verb, 'member', member, 'at', at))
    as what,
  derived_text.text as derived,
  stored_text.text as stored
from derived_text
full join stored_text using (verb, member, at, text)
where derived_text.times is null or stored_text.times is null
order by 2
