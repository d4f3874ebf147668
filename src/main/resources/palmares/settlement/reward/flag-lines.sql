-- Flags the inviters whose credits of a period are to be reviewed: those of a chain of invites that
-- is too long, and those of whom too many invited members came from one address or device. A credit
-- that was taken back counts for nothing. Each member has one inviter, so that the invites are trees,
-- which are read from their roots down. The way up begins at members who invite nobody: from each
-- other one, what is above it would be read again.

insert into flagged_line (period_id, member, chain, same_address, same_device)
with recursive credited as materialized (
  select credit.newcomer, credit.inviter
  from (
    select subject as newcomer, member as inviter
    from event
    where period_id = :period and action = :action and outcome in ('applied', 'undone')
    group by subject, member
    having sum(case outcome when 'applied' then 1 else -1 end) > 0
  ) credit
  join invite on invite.newcomer = credit.newcomer and invite.inviter = credit.inviter
), descent as (
  select root.newcomer, root.inviter, 1 as invites
  from credited root
  where :chain::int is not null
    and not exists (select from credited above where above.newcomer = root.inviter)
  union all
  select below.newcomer, below.inviter, descent.invites + 1
  from descent
  join credited below on below.inviter = descent.newcomer
), in_chain as (
  select inviter, invites
  from descent
  where invites >= :chain::int
    and not exists (select from credited below where below.inviter = descent.newcomer)
  union
  select above.inviter, in_chain.invites
  from in_chain
  join credited above on above.newcomer = in_chain.inviter
), from_one as (
  select inviter, kind, count(*) as members
  from credited
  join registration_tag on registration_tag.member = credited.newcomer
  group by inviter, kind, hash
  having count(*) >= case kind when 'address' then :sameAddress::int else :sameDevice::int end
)
select
  :period, inviter, max(chain), max(same_address), max(same_device)
from (
  select inviter, invites as chain, null::bigint as same_address, null::bigint as same_device
  from in_chain
  union all
  select
    inviter,
    null,
    case kind when 'address' then members end,
    case kind when 'device' then members end
  from from_one
) flag
group by inviter
order by inviter
on conflict do nothing
