-- Proves that each own table with rows, and each prize, is of an outcome that exists. The catalog
-- names the outcome of an own table, so only tables without an outcome are read. A restarted
-- attempt may leave empty ones.
-- A row: such a table or prize.

select
  0 as period_id,
  format('table %s of an outcome that does not exist', own.oid::regclass) as what,
  null as derived,
  format('%s bytes', pg_relation_size(own.oid)) as stored
from (
  with recursive part as (
    select inhrelid as id
    from pg_inherits
    where inhparent in ('line'::regclass, 'payment'::regclass)
    union all
    select inhrelid from part join pg_inherits on inhparent = part.id
  )
  select id from part
) part
join pg_class own on own.oid = part.id and own.relkind = 'r'
cross join lateral regexp_match(
  pg_get_expr(relpartbound, own.oid), 'FROM \((\d+)\) TO \((\d+)\)') as bound
where bound is not null
  and case
    when exists (select from revision where id >= bound[1]::int and id < bound[2]::int)
      then false
    else has_rows(own.oid)
  end
union all
select 0, format('prize number %s of outcome %s', rule, outcome), null,
  currency || ' by ' || name
from prize
where not exists (select from revision where revision.id = prize.outcome)
