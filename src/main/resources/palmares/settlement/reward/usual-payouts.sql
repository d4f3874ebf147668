-- The median of what the board's last settled periods have paid, in each currency that they or the
-- revision pay; 0 in a new one. Manifests are read, since adding up the awards of ten periods takes
-- longer than closing one.

with former as (
  select id, revision from period
  where board = :board and starts_at < :starts and is_settled(state)
  order by starts_at desc
  limit :limit
), paid as (
  select former.id, currency, sum(amount) as amount
  from former
  join manifest
    on manifest.period_id = former.id and manifest.revision = former.revision
  cross join lateral manifest_sums(sums, 'awards-by-rule')
  group by former.id, currency
), known as (
  select currency from paid
  union
  select currency from {award_changes} change
), size as (
  select former.id, currency, coalesce(paid.amount, 0) as amount
  from former
  cross join known
  left join paid using (id, currency)
), ordered as (
  select
    currency,
    amount,
    row_number() over (partition by currency order by amount) as n,
    count(*) over (partition by currency) as periods
  from size
)
-- Not percentile_cont, whose binary floating point is not exact above 2^53.
select
  currency,
  avg(amount) as median,
  min(periods) as periods
from ordered
where n in ((periods + 1) / 2, periods / 2 + 1)
group by currency
order by currency
