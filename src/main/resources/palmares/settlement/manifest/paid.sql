-- Payments by rule, and by purpose.

, by_rule as (
  select numbered.outcome, coalesce(name, 'rule number ' || numbered.rule) as name,
    coalesce(currency, 'no currency') as currency, purpose, number, amount
  from numbered
  left join prize
    on prize.outcome = any(:outcomes)
    and prize.outcome = numbered.outcome
    and prize.rule = numbered.rule
), paid as (
  select
    outcome,
    string_agg(
      sum_text(purpose, currency, number, 'payments', amount), '; '
      order by purpose collate "C", currency collate "C") as list,
    jsonb_agg(
      jsonb_build_object(
        'name', purpose, 'currency', currency, 'number', number, 'amount', amount)
      order by purpose collate "C", currency collate "C") as sums
  from (
    select
      outcome,
      (array['award', 'return', 'debt', 'write-off', 'restored'])[purpose] as purpose,
      currency,
      sum(number) as number,
      sum(amount) as amount
    from by_rule
    group by 1, 2, 3
  ) as by_purpose
  group by outcome
)
