-- Proves that what a person decided on a late event is the last decision that the audit log has on
-- it, with the same person, time and reason, and that an undecided one has none there.
-- A row: a late event with another decision, or a decision on a late event that does not exist.

with stored as (
  select
    period.id as period_id,
    late_event.id,
    case when verdict is not null then member end as member,
    case verdict when 'accepted' then 'accept' when 'dismissed' then 'dismiss' end as verb,
    decided_by as by,
    decided_at as at,
    verdict_reason as reason
  from period
  join late_event on late_event.board = period.board and late_event.period = period.name
  where period.id = any(:ids)
), latest as (
  select distinct on (period.id, details->>'lateEvent')
    audit_entry.id as n,
    period.id as period_id,
    details->>'lateEvent' as id,
    member,
    verb,
    by,
    at,
    reason
  from period
  join audit_entry on audit_entry.board = period.board and audit_entry.period = period.name
  where period.id = any(:ids) and verb in ('accept', 'dismiss')
  order by period.id, details->>'lateEvent', audit_entry.id desc
)
select
  period_id,
  'late event ' || coalesce(id, 'of ' || latest.member) as what,
  case when latest.n is not null then
    format('%s of %s by %s at %s: %s', latest.verb, latest.member, latest.by, latest.at,
      latest.reason) end as derived,
  case when stored.verb is not null then
    format('%s of %s by %s at %s: %s', stored.verb, stored.member, stored.by, stored.at,
      stored.reason)
    when stored.id is not null then 'undecided' end as stored
from stored
full join latest using (period_id, id)
where (stored.verb, stored.member, stored.by, stored.at, stored.reason)
  is distinct from (latest.verb, latest.member, latest.by, latest.at, latest.reason)
order by 1, 2
