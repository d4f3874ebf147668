-- Proves that a person holds a period if the audit log says so last, with the same person, time and
-- reason, and that a period which a person held was approved by a person.
-- A row: a hold that the audit log lacks or has otherwise, one that is gone, or a posted outcome of
-- a held period that no person approved.

with latest as (
  select distinct on (period.id) period.id as period_id, verb, by, at, reason
  from period
  join audit_entry on audit_entry.board = period.board and audit_entry.period = period.name
  where period.id = any(:ids) and verb in ('hold', 'lift-hold')
  order by period.id, audit_entry.id desc
), derived as (
  select period_id, by, at, reason from latest where verb = 'hold'
), stored as (
  select period_id, made_by as by, made_at as at, reason
  from person_hold
  where period_id = any(:ids)
)
select
  period_id,
  said('difference.period-hold') as what,
  case when derived.by is not null then said('difference.hold', jsonb_build_object(
    'by', derived.by, 'at', derived.at, 'reason', derived.reason)) end as derived,
  case when stored.by is not null then said('difference.hold', jsonb_build_object(
    'by', stored.by, 'at', stored.at, 'reason', stored.reason)) end as stored
from derived
full join stored using (period_id)
where (derived.by, derived.at, derived.reason) is distinct from (stored.by, stored.at, stored.reason)
union all
select
  period_id,
  said('difference.approval', jsonb_build_object('revision', 1)),
  said('difference.by-a-person'),
  to_jsonb(decided_by)
from derived
join revision using (period_id)
where revision = 1 and posted_at is not null and decided_by = 'the board''s rules'
order by 1, 2
