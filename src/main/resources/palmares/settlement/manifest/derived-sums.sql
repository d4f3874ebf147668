-- Counts and sums, derived by one pass over all stored rows.

, journal as (
  select period_id, count(*) as lines,
    sum(event_hash(event)) as sum
  from event
  where period_id = any(:ids)
  group by period_id
), numbered as (
  select
    outcome,
    rule,
    purpose,
    count(*) as number,
    sum(amount) as amount,
    sum(payment_hash(rule, purpose, amount, member)) as sum
  from {payments} payment
  where outcome = any(:outcomes)
  group by outcome, rule, purpose
), counted as (
  select
    subject.outcome,
    coalesce(line.lines, 0) as lines,
    coalesce(line.line_sum, 0) as line_sum,
    coalesce(payment.payments, 0) as payments,
    coalesce(payment.payment_sum, 0) as payment_sum,
    line.points,
    line.placed,
    line.ranked,
    line.paid
  from subject
  left join (
    select
      outcome,
      count(*) as lines,
      sum(line_hash(place, rank, points, then_by, arrival, reached_at, member))
        as line_sum,
      sum(points) as points,
      count(place) as placed,
      count(rank) as ranked,
      count(rank) filter (where points between :least and :most) as paid
    from {lines} line
    where outcome = any(:outcomes)
    group by outcome
  ) line using (outcome)
  left join (
    select outcome, sum(number) as payments, sum(sum) as payment_sum
    from numbered
    group by outcome
  ) payment using (outcome)
)
