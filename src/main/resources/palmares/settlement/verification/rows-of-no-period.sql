-- Proves that the rows of {table} are of periods that exist. Each period id is found by one index
-- lookup, since a table may hold a hundred million rows of a few periods.
-- A row: a period that does not exist, with the number of its rows and one of them.

select
  0 as period_id,
  format('{table} rows of a period that does not exist, with id %s', found.id) as what,
  null as derived,
  format('%s, such as %s', count(*), min(orphan::text)) as stored
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
