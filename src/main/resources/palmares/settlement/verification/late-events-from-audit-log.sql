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
  case when id is null
    then said('difference.unknown-late-event', jsonb_build_object('member', latest.member))
    else said('difference.late-event', jsonb_build_object('event', id)) end as what,
  case when latest.n is not null then
    said('difference.late-decision', jsonb_build_object('verb', latest.verb,
      'member', latest.member, 'by', latest.by, 'at', latest.at, 'reason', latest.reason)) end
    as derived,
  case when stored.verb is not null then
    said('difference.late-decision', jsonb_build_object('verb', stored.verb,
      'member', stored.member, 'by', stored.by, 'at', stored.at, 'reason', stored.reason))
    when stored.id is not null then said('difference.undecided') end as stored
from stored
full join latest using (period_id, id)
where (stored.verb, stored.member, stored.by, stored.at, stored.reason)
  is distinct from (latest.verb, latest.member, latest.by, latest.at, latest.reason)
order by 1, 2
