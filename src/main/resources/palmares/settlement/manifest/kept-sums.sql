-- Counts and sums of the stored rows, as the posting in the same transaction has added them up. The
-- points of ranked members get worse from place to place. So in an outcome with own tables, those
-- who may be paid are found by the index of the places.

, journal as (
  select period_id, drained as lines, checksum as sum
  from journal_position
  where period_id = any(:ids)
), counted as (
  select
    outcome,
    lines,
    line_sum,
    payments,
    payment_sum,
    (sums ->> 'points')::numeric as points,
    (sums ->> 'placed')::bigint as placed,
    (sums ->> 'ranked')::bigint as ranked,
    case when outcome > 0 then ranked_within(outcome, (sums ->> 'ranked')::int, :least, :most)
      else (
        select count(*) from {lines} line
        where line.outcome = any(:outcomes)
          and line.outcome = subject.outcome
          and rank is not null
          and line.points between :least and :most)
      end as paid
  from subject
  cross join lateral (select posted_sums(outcome) as sums) posted
), numbered as (
  select outcome, rule, purpose, number, amount
  from subject
  cross join lateral jsonb_to_recordset(posted_sums(outcome) -> 'paid')
    as sum (rule smallint, purpose smallint, number bigint, amount numeric)
)
