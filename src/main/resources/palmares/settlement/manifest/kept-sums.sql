-- Counts and checksums as they were stored when the rows were written.

, journal as (
  select period_id, drained as lines, checksum as sum
  from journal_position
  where period_id = any(:ids)
), counted as (
  select outcome, lines, line_sum, payments, payment_sum from subject
)
