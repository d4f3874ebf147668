-- The members whose awards for actions may differ, if the awards are screened: one pass adds up the
-- events that a rule pays for and what is stored for that rule, for each member. A member who got
-- exactly the credits that those points give is no suspect. Who is excluded always is one, and
-- everyone is if the number of a rule is unknown. On a board with one action a member's line has the
-- points of that action, so lines are read instead of the events, which are more: a hash of what
-- each line earned is added to one sum, the same hash of each payment to another. The hash has a key
-- that is drawn for this run, so that equal sums prove equal payments. Only if they differ are lines
-- and payments joined, which takes more time and memory.
-- Screened are only closings whose prizes are for all who have points. Other checks prove what this
-- one takes for granted: who has points by events has a line with them (lines-from-journal), and
-- each event gave what its action is worth (events-from-actions).

action_number as materialized (
  select n, rule.action, worth, credits::bigint, prize.rule as number
  from rule
  join band using (n)
  left join prize
    on prize.outcome = any(:outcomes)
    and prize.name = rule.name
    and prize.currency = rule.currency
  where :screened and kind = 'action'
), screened_line as not materialized (
  select
    n,
    number,
    member,
    -- A product of two numbers of 31 bits does not overflow; where it could, nobody is screened.
    case when points <= 2147483647 and credits <= 2147483647 then points / worth * credits end
      as amount
  from action_number
  cross join {lines} line
  -- A constant that made WHERE false would prune no partition.
  where line.outcome
    = any(case when :screened and :onlyAction then :outcomes::int[] else array[0] end)
), earned as not materialized (
  select * from screened_line where amount is distinct from 0
), given as not materialized (
  select n, number, member, amount
  from action_number
  join {payments} payment on payment.rule = number
  where payment.outcome
      = any(case when :screened and :onlyAction then :outcomes::int[] else array[0] end)
    and payment.purpose = 1
), excluded as materialized (
  select member from frozen_exclusion where period_id = any(:ids) and revision = :revision
), screen as materialized (
  select (line.payments, line.sum) = (payment.payments, payment.sum) and line.unknown = 0 as equal
  from (
    select count(*) as payments,
      count(*) filter (where amount is null) as unknown,
      coalesce(sum(keyed_hash(:key, member, amount, number, 0)), 0) as sum
    from earned
    where member not in (select member from excluded)
  ) line
  cross join (
    select count(*) as payments,
      coalesce(sum(keyed_hash(:key, member, amount, number, 0)), 0) as sum
    from given
    where member not in (select member from excluded)
  ) payment
), suspect as materialized (
  select member
  from (
    select
      n,
      member,
      case when exact_sum(points_high) between -1073741824 and 1073741823
        then (exact_sum(points_high) << 32) + exact_sum(points_low) end as points,
      count(amount) as payments,
      max(amount) as amount
    from (
      select
        n,
        member,
        points >> 32 as points_high,
        points & 4294967295 as points_low,
        null::bigint as amount
      from action_number
      join event using (action)
      where :screened and not :onlyAction and period_id = any(:ids) and points <> 0
      union all
      select n, member, 0, 0, amount
      from action_number
      join {payments} payment on payment.rule = number
      -- A constant that made WHERE false would prune no partition.
      where payment.outcome
          = any(case when :screened and not :onlyAction then :outcomes::int[] else array[0] end)
        and payment.purpose = 1
    ) counted
    group by n, member
  ) added
  join action_number using (n)
  where case
    -- A product of two numbers of 31 bits does not overflow.
    when points is null or points > 2147483647 or credits > 2147483647 then true
    when points > 0 and points / worth * credits > 0
      then payments <> 1 or amount <> points / worth * credits
    else payments <> 0 end
  union
  select member
  from earned
  full join given using (n, member)
  where (select equal from screen) is not true
    and (earned.amount is null or earned.amount is distinct from given.amount)
  union
  select member
  from frozen_exclusion
  where :screened and period_id = any(:ids) and revision = :revision
),
