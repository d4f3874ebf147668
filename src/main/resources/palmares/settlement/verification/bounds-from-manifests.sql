-- Proves that no closing was paid without a person's approval which exceeds the budget of its period
-- or of its month, or is far from the usual amount of its board unless the board has released it
-- when its time had come. Each month is added up by manifests in the order in which they committed.
-- What is usual is compared with and without the periods of the hour before: closings of one board
-- at the same time do not know of each other.
-- A row: a closing that a person should have approved.

with own as materialized (
  select revision.period_id, period.board, starts_at, ends_at, n, decided_at,
    coalesce(release_at <= decided_at, false) as released,
    month_of(starts_at, ends_at, :offsetsFrom::bigint[], :offsets::bigint[]) as month
  from revision
  join period on period.id = revision.period_id and period.id = any(:ids)
  join manifest_link link
    on link.period_id = revision.period_id and link.revision = revision.revision
  where revision.period_id = any(:ids)
    and revision.base is null
    and posted_at is not null
    and decided_by = 'the board''s rules'
), budget as (
  select *
  from unnest(:budgetCurrencies::text[], :periodBudgets::bigint[], :monthBudgets::bigint[])
    as budget (currency, of_period, of_month)
), cost as (
  select
    manifest.period_id,
    manifest.revision,
    n,
    month_of(starts_at, ends_at, :offsetsFrom::bigint[], :offsets::bigint[]) as month,
    currency,
    sum(case moved.name when 'award' then amount when 'return' then -amount else 0 end) as amount
  from period
  join manifest on manifest.period_id = period.id
  join manifest_link link
    on link.period_id = manifest.period_id and link.revision = manifest.revision
  cross join lateral manifest_sums(sums, 'payments-by-purpose') as moved
  where cardinality(:budgetCurrencies::text[]) > 0
    and period.board = (select min(own.board) from own)
    and period.ends_at > (select min(own.ends_at) from own) - interval '33 days'
    and period.starts_at < (select max(own.ends_at) from own) + interval '33 days'
  group by 1, 2, 3, 4, 5
), spent as (
  select *, sum(amount) over (partition by month, currency order by n) as of_month
  from cost
), over_budget as (
  select
    own.period_id,
    case
      when amount > budget.of_period
        then said('difference.over-period-budget', jsonb_build_object(
          'amount', amount, 'currency', currency, 'budget', budget.of_period))
      else said('difference.over-month-budget', jsonb_build_object(
        'amount', spent.of_month, 'currency', currency, 'budget', budget.of_month)) end as bound
  from own
  join spent on spent.period_id = own.period_id and spent.revision = 1
  join budget using (currency)
  where amount > budget.of_period or amount > 0 and spent.of_month > budget.of_month
), former as (
  select own.period_id, margin, latest.period_id as id, latest.sums
  from own
  cross join (values (interval '0'), (interval '1 hour')) as closing (margin)
  cross join lateral (
    select *
    from (
      select distinct on (period.starts_at) period.starts_at, manifest.period_id, sums
      from period
      join manifest on manifest.period_id = period.id
      join manifest_link link
        on link.period_id = manifest.period_id and link.revision = manifest.revision
      where period.board = own.board
        and period.starts_at < own.starts_at
        and link.n < own.n
        and written_at <= own.decided_at - margin
      order by period.starts_at desc, manifest.revision desc
    ) revision
    limit 10
  ) latest
  where :unusual > 0 and not released
), paid as (
  select period_id, margin, id, currency, sum(amount) as amount
  from former
  cross join lateral manifest_sums(sums, 'awards-by-rule')
  group by 1, 2, 3, 4
), pays as (
  select own.period_id, currency, sum(amount) as amount
  from own
  join manifest on manifest.period_id = own.period_id and manifest.revision = 1
  cross join lateral manifest_sums(sums, 'awards-by-rule')
  where :unusual > 0 and not released
  group by 1, 2
), known as (
  select period_id, currency from paid
  union
  select period_id, currency from pays
), ordered as (
  select
    former.period_id,
    margin,
    currency,
    coalesce(paid.amount, 0) as amount,
    row_number() over (
      partition by former.period_id, margin, currency order by coalesce(paid.amount, 0)) as place,
    count(*) over (partition by former.period_id, margin, currency) as periods
  from former
  join known using (period_id)
  left join paid using (period_id, margin, id, currency)
), usual as (
  select period_id, currency, margin, avg(amount) as median
  from ordered
  where periods >= 3 and place between (periods + 1) / 2 and periods / 2 + 1
  group by 1, 2, 3
), unusual as (
  select
    usual.period_id,
    said('difference.far-from-usual', jsonb_build_object(
      'amount', coalesce(amount, 0), 'currency', currency, 'usual', trim_scale(min(median))))
      as bound
  from usual
  left join pays using (period_id, currency)
  group by usual.period_id, currency, amount
  having count(*) = 2
    and bool_and(coalesce(amount, 0) <> median
      and (coalesce(amount, 0) >= median * :unusual or coalesce(amount, 0) * :unusual <= median))
)
select
  period_id,
  said('difference.approval', jsonb_build_object('revision', 1)) as what,
  said('difference.by-a-person-because', jsonb_build_object('bound', bound)) as derived,
  'the board''s rules' as stored
from (select * from over_budget union all select * from unusual) beyond
order by period_id, bound
