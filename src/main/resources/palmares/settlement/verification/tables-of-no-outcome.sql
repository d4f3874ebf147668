-- Proves that each own table with rows, and each prize, is of an outcome that exists. Empty tables
-- are left by a restart, and dropped later.
-- Parameter: the own tables with rows, of no outcome.
-- A row: such a table or prize.

select
  0 as period_id,
  format('table %s of an outcome that does not exist', own) as what,
  null as derived,
  format('%s bytes', pg_relation_size(to_regclass(own))) as stored
from unnest(:filled::text[]) as own
union all
select 0, format('prize number %s of outcome %s', rule, outcome), null,
  currency || ' by ' || name
from prize
where not exists (select from revision where revision.id = prize.outcome)
