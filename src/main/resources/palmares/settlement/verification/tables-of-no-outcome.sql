-- Proves that each own table with rows, and each prize, is of an outcome that exists. Empty tables
-- are left by a restart, and dropped later.
-- Parameter: the own tables with rows, of no outcome.
-- A row: such a table or prize.

select
  0 as period_id,
  said('difference.table-of-no-outcome', jsonb_build_object('table', own)) as what,
  null as derived,
  said('difference.size', jsonb_build_object('bytes', pg_relation_size(to_regclass(own)))) as stored
from unnest(:filled::text[]) as own
union all
select
  0,
  said('difference.prize-of-no-outcome', jsonb_build_object('number', rule, 'outcome', outcome)),
  null,
  said('difference.currency-by', jsonb_build_object('currency', currency, 'rule', name))
from prize
where not exists (select from revision where revision.id = prize.outcome)
