-- Proves that the lines of those inviters are flagged whom the rules ask to review, by the credits of
-- the period: a chain is as long as what is above an inviter and what is below. What a forgotten
-- member registered with is deleted, so that the numbers of its inviter may have been larger.
-- A row: a flag that differs, is missing or is extra.

with recursive credited as materialized (
  select credit.period_id, credit.newcomer, credit.inviter
  from (
    select
      period_id,
      subject as newcomer,
      member as inviter,
      count(*) filter (where outcome = 'applied') - count(*) filter (where outcome = 'undone') as n
    from event
    where period_id = any(:ids) and action = :creditAction
    group by period_id, subject, member
  ) credit
  join invite using (newcomer, inviter)
  where n > 0
), below as (
  select period_id, inviter, 1 as invites
  from credited last
  where :chain::int is not null
    and not exists (
      select from credited next
      where next.period_id = last.period_id and next.inviter = last.newcomer)
  union
  select credited.period_id, credited.inviter, invites + 1
  from below
  join credited on credited.period_id = below.period_id and credited.newcomer = below.inviter
), above as (
  select distinct period_id, inviter, 0 as invites
  from credited first
  where :chain::int is not null
    and not exists (
      select from credited former
      where former.period_id = first.period_id and former.newcomer = first.inviter)
  union all
  select credited.period_id, credited.newcomer, invites + 1
  from above
  join credited on credited.period_id = above.period_id and credited.inviter = above.inviter
), chained as (
  select period_id, inviter as member, max(below.invites) + above.invites as invites
  from below
  join above using (period_id, inviter)
  group by period_id, inviter, above.invites
  having max(below.invites) + above.invites >= :chain::int
), tagged as (
  select period_id, inviter as member, kind,
    count(*) over (partition by period_id, inviter, kind, hash) as members
  from credited
  join registration_tag on registration_tag.member = newcomer
), derived as (
  select
    period_id,
    member,
    chained.invites as chain,
    (select max(members) from tagged
      where tagged.period_id = flag.period_id and tagged.member = flag.member
        and kind = 'address' and members >= :sameAddress::int) as same_address,
    (select max(members) from tagged
      where tagged.period_id = flag.period_id and tagged.member = flag.member
        and kind = 'device' and members >= :sameDevice::int) as same_device
  from (
    select period_id, member from chained
    union
    select period_id, member from tagged
    where members >= case kind when 'address' then :sameAddress::int else :sameDevice::int end
  ) flag
  left join chained using (period_id, member)
), stored as (
  select * from flagged_line where period_id = any(:ids)
), forgetful as (
  select distinct period_id, inviter as member
  from credited
  join member on member.id = newcomer and forgotten_at is not null
), compared as (
  select
    period_id,
    member,
    derived.chain is distinct from stored.chain
      or case when forgetful.member is null
        then (derived.same_address, derived.same_device)
          is distinct from (stored.same_address, stored.same_device)
        else coalesce(derived.same_address, 0) > coalesce(stored.same_address, 0)
          or coalesce(derived.same_device, 0) > coalesce(stored.same_device, 0) end as differs,
    case when derived.member is not null then concat_ws(' ',
      'chain', coalesce(derived.chain::text, '-'),
      'address', coalesce(derived.same_address::text, '-'),
      'device', coalesce(derived.same_device::text, '-')) end as derived,
    case when stored.member is not null then concat_ws(' ',
      'chain', coalesce(stored.chain::text, '-'),
      'address', coalesce(stored.same_address::text, '-'),
      'device', coalesce(stored.same_device::text, '-')) end as stored
  from derived
  full join stored using (period_id, member)
  left join forgetful using (period_id, member)
)
select
  period_id,
  said('difference.flagged-line', jsonb_build_object('member', member)) as what,
  to_jsonb(derived) as derived,
  to_jsonb(stored) as stored
from compared
where differs
order by period_id, member
