-- Proves that an amendment pays the difference between what its rules award and what the outcomes
-- posted before it (formers) gave and took. Sums of new rows are joined to each other by full
-- joins only: the planner has no statistics of them, and would look up each of them.
-- A row: a payment that differs, is missing or is extra.

with
\ir parts/awards.sql
change as (
  select period_id, member, rule, currency, sum(amount) as amount, sum(waived) as waived
  from (
    select period_id, member, rule, currency, credits as amount, 0 as waived
    from awarded
    union all
    select
      former.period_id,
      payment.member,
      prize.name,
      prize.currency,
      case when purpose in (1, 5) then -amount else amount end,
      case when purpose in (3, 4) then amount when purpose = 5 then -amount else 0 end
    from {payments} payment
    join revision former on former.id = payment.outcome
    join prize on prize.outcome = payment.outcome and prize.rule = payment.rule
    where payment.outcome = any(:formers)
  ) part
  group by period_id, member, rule, currency
), derived as (
  select
    period_id,
    member,
    rule,
    change.currency,
    part.purpose::smallint as purpose,
    part.amount
  from change
  join revision whole using (period_id)
  cross join lateral (
    values
      (1, amount - greatest(waived, 0)),
      (5, least(amount, waived)),
      (case owed when 'take' then 2 when 'debt' then 3 when 'write-off' then 4 end, -amount)
  ) as part (purpose, amount)
  where whole.revision = :revision
    and part.amount > 0
),
\ir parts/compared-payments.sql
