-- Proves that the rows of {table} that share a table are of outcomes that exist. Each outcome id
-- is found by one index lookup.
-- A row: an outcome that does not exist, with the number of its rows and one of them.

select
  0 as period_id,
  said('difference.rows-of-no-outcome', jsonb_build_object('table', '{table}', 'id', found.id))
    as what,
  null as derived,
  said('difference.rows', jsonb_build_object('rows', count(*), 'example', min(orphan::text)))
    as stored
from (
  with recursive known as (
    select min(outcome) as id from {table} where outcome < 0
    union all
    select (select min(outcome) from {table} where outcome > known.id and outcome < 0)
    from known
    where known.id is not null
  )
  select id from known where id is not null
) found
join {table} orphan on orphan.outcome = found.id and orphan.outcome < 0
where not exists (select from revision where revision.id = found.id)
group by found.id
