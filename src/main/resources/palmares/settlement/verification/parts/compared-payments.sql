-- Compares derived payments with those stored for the outcomes, but for screened awards of members
-- who are no suspects. A stored payment by a rule that the outcome does not have is extra.

stored as (
  select revision.period_id, payment.member,
    coalesce(prize.name, payment.rule::text) as rule, prize.currency,
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
  said('difference.payment', jsonb_build_object(
    'purpose', (array['award', 'return', 'debt', 'write-off', 'restored'])[purpose],
    'member', member,
    'rule', case when stored.amount is not null and stored.currency is null
      then said('difference.unknown-rule', jsonb_build_object('number', rule))
      else to_jsonb(rule) end,
    'revision', :revision::int)) as what,
  case when derived.amount is not null then said('difference.amount', jsonb_build_object(
    'amount', trunc(derived.amount), 'currency', derived.currency)) end as derived,
  case when stored.amount is not null then said('difference.amount', jsonb_build_object(
    'amount', stored.amount,
    'currency', coalesce(to_jsonb(stored.currency), said('difference.no-currency')))) end
    as stored
from derived
full join stored using (period_id, member, rule, purpose)
where (derived.amount, derived.currency) is distinct from (stored.amount, stored.currency)
order by period_id, member, rule, purpose
