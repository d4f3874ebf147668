-- Proves that the lines of those inviters are flagged whom the rules ask to review, by the credits
-- of the period: a chain is as long as what is above an inviter and what is below, which walks
-- count whose length doubles until it is that of all credits: a circle has no end. What a forgotten
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
), walk (period_id, member, top, above, below, length) as (
  -- Of each member, how far one comes up and down within walks of that length.
  select period_id, member, max(inviter), count(inviter)::int, 0, 1
  from (
    select period_id, newcomer as member, inviter from credited
    union all
    select period_id, inviter, null from credited
  ) known
  where :chain::int is not null
  group by period_id, member
  union all
  select period_id, member, next_top, next_above, next_below, 2 * length
  from (
    select
      period_id, member, length, is_end,
      max(next_top) over same_member as next_top,
      max(above) over same_member as next_above,
      max(below) over same_member as next_below,
      bool_and(is_end) over () as all_ended
    from (
      select
        walk.period_id, walk.member, walk.length, is_end,
        case when not is_end then max(top) filter (where is_end) over meeting end as next_top,
        walk.above
          + case when is_end then 0 else max(walk.above) filter (where is_end) over meeting end
          as above,
        case when is_end
          then greatest(
            walk.below, max(walk.below + walk.length) filter (where not is_end) over meeting)
          end as below
      from walk
      cross join (values (true), (false)) side (is_end)
      where is_end or top is not null
      window meeting as (
        partition by walk.period_id, case when is_end then walk.member else top end)
    ) met
    window same_member as (partition by period_id, member)
  ) next
  where is_end and not all_ended and length < (select count(*) from credited)
), chained as (
  select period_id, member, above + below as invites
  from walk
  where length = (select max(length) from walk)
    and below > 0
    and above + below >= :chain::int
), tagged as (
  select
    period_id,
    member,
    max(members) filter (where kind = 'address' and members >= :sameAddress::int) as same_address,
    max(members) filter (where kind = 'device' and members >= :sameDevice::int) as same_device
  from (
    select period_id, inviter as member, kind, count(*) as members
    from credited
    join registration_tag on registration_tag.member = newcomer
    group by period_id, inviter, kind, hash
  ) from_one
  group by period_id, member
), derived as (
  select period_id, member, chained.invites as chain, same_address, same_device
  from chained
  full join tagged using (period_id, member)
  where num_nonnulls(chained.invites, same_address, same_device) > 0
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
