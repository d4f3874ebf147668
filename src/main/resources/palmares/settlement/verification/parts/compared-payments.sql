-- Compares derived payments with those stored for the outcomes, but for screened awards of members
-- who are no suspects. A stored payment by a rule that the outcome does not have is extra.

stored as (
  select revision.period_id, payment.member,
    coalesce(prize.name, 'rule number ' || payment.rule) as rule, prize.currency,
    payment.purpose, payment.amount
  from {payments} payment
  join revision on revision.id = payment.outcome and revision.id = any(:outcomes)
  left join prize
    on prize.outcome = payment.outcome
    and prize.rule = payment.rule
    and prize.outcome = any(:outcomes)
  where payment.outcome = any(:outcomes)
    and (
      not :screened
      or (payment.purpose = 1 and payment.rule in (select number from action_number)) is not true
      or payment.member in (select member from suspect))
)
select
  period_id,
  format('%s of %s by %s',
    (array['award', 'return', 'debt', 'write-off', 'restored'])[purpose], member, rule)
    || case when :revision <> 1 then ' in revision ' || :revision else '' end as what,
  trunc(derived.amount) || ' ' || derived.currency as derived,
  stored.amount || ' ' || coalesce(stored.currency, 'of no currency') as stored
from derived
full join stored using (period_id, member, rule, purpose)
where (derived.amount, derived.currency) is distinct from (stored.amount, stored.currency)
order by period_id, member, rule, purpose
