-- Proves that what a person decided on a late event is the last decision that the audit log has on
-- it, with the same person, time and reason, and that an undecided one has none there.
-- A row: a late event with another decision, or a decision on a late event that does not exist.

with stored as (
  select
    period.id as period_id,
    late_event.id,
    member,
    case verdict when 'accepted' then 'accept' when 'dismissed' then 'dismiss' end as verb,
    decided_by as by,
    decided_at as at,
    verdict_reason as reason
  from period
  join late_event on late_event.board = period.board and late_event.period = period.name
  where period.id = any(:ids)
), entered as (
  select
    audit_entry.id as n,
    period.id as period_id,
    member,
    verb,
    by,
    at,
    reason
  from period
  join audit_entry on audit_entry.board = period.board and audit_entry.period = period.name
  where period.id = any(:ids) and verb in ('accept', 'dismiss')
), paired as (
  -- In an entry, a colon of the id is followed by two blanks, and the one that ends it by one.
  select
    entered.*,
    stored.id,
    substr(entered.reason, length('late event : ' || replace(stored.id, ': ', ':  ')) + 1)
      as words
  from entered
  left join stored
    on stored.period_id = entered.period_id
    and stored.member = entered.member
    and starts_with(
      entered.reason, format('late event %s: ', replace(stored.id, ': ', ':  ')))
    and not starts_with(
      entered.reason, format('late event %s:  ', replace(stored.id, ': ', ':  ')))
), latest as (
  select distinct on (period_id, id) *
  from paired
  where id is not null
  order by period_id, id, n desc
)
select
  stored.period_id,
  'late event ' || stored.id as what,
  case when latest.n is not null then
    format('%s by %s at %s: %s', latest.verb, latest.by, latest.at, words) end as derived,
  case when stored.verb is null then 'undecided'
    else format('%s by %s at %s: %s', stored.verb, stored.by, stored.at, stored.reason) end
    as stored
from stored
left join latest using (period_id, id)
where (stored.verb, stored.by, stored.at, stored.reason)
  is distinct from (latest.verb, latest.by, latest.at, words)
union all
select
  period_id,
  format('late event of %s', member),
  format('%s by %s at %s: %s', verb, by, at, reason),
  null
from paired
where id is null
order by 1, 2
