-- What the rules award in an amendment: the sum of its payments and of those before it.

select outcome, name, currency, count(*), sum(amount)
from (
  select subject.outcome, payment.member, prize.name, currency,
    sum(case when purpose in (1, 5) then amount else -amount end) as amount
  from {payments} payment
  join prize
    on prize.outcome = any(:parts) and prize.outcome = payment.outcome
    and prize.rule = payment.rule
  join revision as part on part.id = payment.outcome
  join subject on subject.id = part.period_id
  -- No outcome is 0: where the array is empty, no partition is pruned.
  where payment.outcome = any(:parts::int[] || 0)
  group by subject.outcome, payment.member, prize.name, currency
) as net
where amount <> 0
group by outcome, name, currency
