-- Proves the numbers of the rules by which an outcome pays: the rules in their order, then those
-- by which earlier outcomes (formers) paid.
-- A row: a number with another rule or currency.

with
\ir parts/reward-rules.sql
derived as (
  select
    period_id,
    row_number() over (partition by period_id order by n, name, currency) as number,
    name,
    currency
  from (
    select period_id, name, currency, min(n) as n
    from (
      select revision.period_id, rule.name, rule.currency, rule.n
      from revision
      cross join rule
      where revision.id = any(:outcomes)
      union all
      select former.period_id, prize.name, prize.currency, 100000
      from prize
      join revision former on former.id = prize.outcome and former.id = any(:formers)
      where prize.outcome = any(:formers)
    ) numbered
    group by period_id, name, currency
  ) known
), stored as (
  select revision.period_id, prize.rule as number, prize.name, prize.currency
  from prize
  join revision on revision.id = prize.outcome and revision.id = any(:outcomes)
  where prize.outcome = any(:outcomes)
)
select
  period_id,
  said('difference.prize', jsonb_build_object('number', number, 'revision', :revision::int))
    as what,
  case when derived.name is not null then said('difference.currency-by', jsonb_build_object(
    'currency', derived.currency, 'rule', derived.name)) end as derived,
  case when stored.name is not null then said('difference.currency-by', jsonb_build_object(
    'currency', stored.currency, 'rule', stored.name)) end as stored
from derived
full join stored using (period_id, number)
where (derived.name, derived.currency) is distinct from (stored.name, stored.currency)
order by period_id, number
