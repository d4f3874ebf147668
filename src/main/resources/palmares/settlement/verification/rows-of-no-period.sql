-- Proves that the rows of {table} are of periods that exist. Each period id is found by one index
-- lookup, since a table may hold a hundred million rows of a few periods.
-- A row: a period that does not exist, with the number of its rows and one of them.

select
  0 as period_id,
  said('difference.rows-of-no-period', jsonb_build_object('table', '{table}', 'id', found.id))
    as what,
  null as derived,
  said('difference.rows', jsonb_build_object('rows', count(*), 'example', min(orphan::text)))
    as stored
from (
  with recursive known as (
    select min(period_id) as id from {table}
    union all
    select (select min(period_id) from {table} where period_id > known.id)
    from known
    where known.id is not null
  )
  select id from known where id is not null
) found
join {table} orphan on orphan.period_id = found.id
where not exists (select from period where period.id = found.id)
group by found.id
