-- Proves that each decision on a flagged line is in the audit log, with the person, the time, the
-- reason and the revision from which on it counts, and that no decision of the audit log is gone.
-- A row: a decision that differs, is missing or is extra.

with derived as (
  select period.id as period_id, member, verb, by, at, reason, details ->> 'since' as since
  from period
  join audit_entry on audit_entry.board = period.board and audit_entry.period = period.name
  where period.id = any(:ids) and verb in ('release-withheld', 'refuse-withheld')
), stored as (
  select
    period_id, member, decision || '-withheld' as verb, made_by as by, made_at as at, reason,
    since_revision::text as since
  from line_decision
  where period_id = any(:ids)
)
select
  period_id,
  said('difference.line-decision', jsonb_build_object('member', member)) as what,
  case when derived.by is not null then to_jsonb(concat_ws(' ', derived.verb, derived.since,
    derived.by, derived.at at time zone 'UTC', derived.reason)) end as derived,
  case when stored.by is not null then to_jsonb(concat_ws(' ', stored.verb, stored.since,
    stored.by, stored.at at time zone 'UTC', stored.reason)) end as stored
from derived
full join stored using (period_id, member)
where (derived.verb, derived.by, derived.at, derived.reason, derived.since)
  is distinct from (stored.verb, stored.by, stored.at, stored.reason, stored.since)
order by period_id, member
