-- Counts and checksums, derived from every stored row, and of forgotten people as they were.

, journal as (
  select period_id, count(*) as lines,
    sum(event_hash(event)) + renamed('events', period_id) as sum
  from event
  where period_id = any(:ids)
  group by period_id
), counted as (
  select
    subject.outcome,
    coalesce(line.lines, 0) as lines,
    coalesce(line.line_sum, 0) as line_sum,
    coalesce(payment.payments, 0) as payments,
    coalesce(payment.payment_sum, 0) as payment_sum
  from subject
  left join (
    select
      outcome,
      count(*) as lines,
      sum(line_hash(place, rank, points, then_by, arrival, reached_at, member))
        + renamed('lines', outcome) as line_sum
    from {lines} line
    where outcome = any(:outcomes)
    group by outcome
  ) line using (outcome)
  left join (
    select
      outcome,
      count(*) as payments,
      sum(payment_hash(rule, purpose, amount, member)) + renamed('payments', outcome)
        as payment_sum
    from {payments} payment
    where outcome = any(:outcomes)
    group by outcome
  ) payment using (outcome)
)
