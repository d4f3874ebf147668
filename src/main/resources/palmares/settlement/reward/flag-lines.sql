-- Flags the inviters whose credits of a period are to be reviewed: those of a chain of invites that
-- is too long, and those of whom too many invited members came from one address or device. A credit
-- that was taken back counts for nothing. Each member has one inviter, so that the invites are
-- trees. A chain is as long as what is above an inviter and the most that is below it. Both are
-- counted within 1, 2, 4, 8, ... steps, so that a long chain takes few rounds. A round is no join,
-- for which the planner may choose to read all invites again for each. No chain has more steps than
-- there are invites, but a circle, which somebody has made by changing rows, has no end.

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
), reach (member, upper, above, below, steps) as (
  -- Of each inviter, who is that many steps above it, and how many invites are within them.
  select member, max(upper), count(upper)::int, 1, 1
  from (
    select inviter as member, null as upper, true as invites from credited
    union all
    select newcomer, inviter, false from credited
  ) own
  where :chain::int is not null
  group by member
  having bool_or(invites)
  union all
  -- What it reaches within as many steps again is what those reach who are where its steps end.
  select member, next_upper, next_above, next_below, 2 * steps
  from (
    select
      member, steps, is_own,
      max(further_upper) over same_member as next_upper,
      max(above + further_above) over same_member as next_above,
      max(below) over same_member as next_below,
      bool_or(not is_own) over () as goes_on
    from (
      select
        seen.member, steps, is_own, seen.above,
        case when is_own then max(seen.below) over same_place end as below,
        case when not is_own then max(upper) filter (where is_own) over same_place end
          as further_upper,
        case when is_own then 0 else max(seen.above) filter (where is_own) over same_place end
          as further_above
      from reach
      cross join lateral (
        values
          (reach.member, true, reach.member, reach.above, reach.below),
          (reach.member, false, reach.upper, reach.above, reach.below + reach.steps)
      ) seen (member, is_own, place, above, below)
      where place is not null
      window same_place as (partition by place)
    ) found
    window same_member as (partition by member)
  ) next
  where is_own and goes_on and steps < (select count(*) from credited)
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
  select
    member as inviter, above + below as chain, null::bigint as same_address,
    null::bigint as same_device
  from reach
  where steps = (select max(steps) from reach) and above + below >= :chain::int
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
