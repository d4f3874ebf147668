-- Proves that each decision on a quarantined entry of the journal is in the audit log with the same
-- person, time and reason.
-- A row: a decision that the audit log lacks or has otherwise, or one on an entry that is gone.

with derived as (
  select
    period.id as period_id,
    details->'entry' as seq,
    case verb when 'release-entry' then 'released' else 'discarded' end as resolution,
    by,
    at,
    reason,
    nullif(details->'byRules', 'null') as by_rules
  from period
  join audit_entry on audit_entry.board = period.board and audit_entry.period = period.name
  where period.id = any(:ids) and verb in ('release-entry', 'discard-entry')
), stored as (
  select period_id, to_jsonb(seq) as seq, resolution, resolved_by as by, resolved_at as at, reason,
    by_rules
  from journal_quarantine
  where period_id = any(:ids) and resolution is not null
)
select
  period_id,
  said('difference.quarantined-entry', jsonb_build_object('entry', seq)) as what,
  case when derived.by is not null then said('difference.entry-decision', jsonb_build_object(
    'resolution', derived.resolution, 'by', derived.by, 'at', derived.at, 'reason', derived.reason))
    end as derived,
  case when stored.by is not null then said('difference.entry-decision', jsonb_build_object(
    'resolution', stored.resolution, 'by', stored.by, 'at', stored.at, 'reason', stored.reason))
    end as stored
from derived
full join stored using (period_id, seq)
where (derived.resolution, derived.by, derived.at, derived.reason, derived.by_rules)
  is distinct from (stored.resolution, stored.by, stored.at, stored.reason, stored.by_rules)
order by 1, 2
