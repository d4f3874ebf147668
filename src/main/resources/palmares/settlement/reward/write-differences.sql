-- Writes the payments of an amendment into {payments}, its table: the differences between its awards,
-- in due_payment, and those of the :posted outcomes. What a member gets again first restores what was
-- waived before.

with change as (
  select
    member,
    rule,
    coalesce(present.credits, 0) - coalesce(past.credits, 0) as amount,
    greatest(coalesce(waived.amount, 0), 0) as waived
  from (
    select member, rule, amount as credits from due_payment
  ) present
  full join (
    select change.member, prize.rule, sum(change.credits) as credits
    from award_changes(:posted) change
    join prize
      on prize.outcome = :outcome
      and prize.name = change.rule
      and prize.currency = change.currency
    group by change.member, prize.rule
  ) past using (member, rule)
  full join (
    select
      payment.member,
      prize.rule,
      sum(case purpose when 5 then -amount else amount end) as amount
    from payment
    join prize paid using (outcome, rule)
    join prize
      on prize.outcome = :outcome
      and prize.name = paid.name
      and prize.currency = paid.currency
    where payment.outcome = any(:posted) and paid.outcome = any(:posted)
      and purpose in (3, 4, 5)
    group by payment.member, prize.rule
  ) waived using (member, rule)
)
insert into {payments} (outcome, rule, purpose, member, amount)
select :outcome, rule, part.purpose, member, part.amount
from change
cross join lateral (
  select
    :owedPurpose::smallint as purpose,
    -change.amount as amount
  where change.amount < 0
  union all
  select 5, least(change.amount, waived)
  where change.amount > 0 and waived > 0
  union all
  select 1, change.amount - waived
  where change.amount > waived
) part
order by member
