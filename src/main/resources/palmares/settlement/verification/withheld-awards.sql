-- Proves that an outcome states what it withholds: all that its flagged lines are entitled to by
-- its rules, unless they were released.
-- A row: a withheld award that differs, is missing or is extra.

with
\ir parts/awards.sql
derived as (
  select period_id, member, entitled.rule, entitled.currency, entitled.credits as amount
  from entitled
  join withheld using (period_id, member)
), stored as (
  select period_id, member, prize.name as rule, prize.currency, amount
  from withheld_award
  join revision on revision.id = withheld_award.outcome
  join prize on prize.outcome = withheld_award.outcome and prize.rule = withheld_award.rule
  where withheld_award.outcome = any(:outcomes)
)
select
  period_id,
  said('difference.withheld-award', jsonb_build_object(
    'member', member, 'rule', rule, 'currency', currency, 'revision', :revision)) as what,
  to_jsonb(derived.amount::text) as derived,
  to_jsonb(stored.amount::text) as stored
from derived
full join stored using (period_id, member, rule, currency)
where derived.amount is distinct from stored.amount
order by period_id, member, rule, currency
