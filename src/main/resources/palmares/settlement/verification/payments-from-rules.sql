-- Proves that a closing pays what its rules award, derived place by place.
-- A row: a payment that differs, is missing or is extra.

with
\ir parts/awards.sql
derived as (
  select period_id, member, rule, currency, 1::smallint as purpose, credits as amount
  from awarded
),
\ir parts/compared-payments.sql
