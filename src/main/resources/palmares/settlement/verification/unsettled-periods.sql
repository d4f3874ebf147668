-- Proves that a period which is not settled has no posting, no manifest and no second revision,
-- and that its lines are written exactly if its state says so.
-- A row: a revision, manifest or missing lines of an unsettled period.

select
  revision.period_id,
  case
    when posted_at is not null then 'posting of '
    when filled_at is not null and revision.revision = 1 and state <> 'open'
      then 'filling of '
    else ''
  end || 'revision ' || revision.revision as what,
  null as derived,
  format('of a period that is %s: %s lines, %s payments%s', state, coalesce(lines, 0),
    coalesce(payments, 0), ', posted at ' || posted_at) as stored
from revision
join period on period.id = revision.period_id
where revision.period_id = any(:ids)
  and (posted_at is not null
    or revision.revision <> 1
    or state = 'open'
    or state = 'sealed' and filled_at is not null)
union all
select id, 'filling of revision 1', 'of a period that is ' || state, null
from period
where id = any(:ids)
  and is_filled(state)
  and not exists (
    select from revision
    where revision.period_id = period.id
      and revision.revision = 1
      and filled_at is not null)
union all
select period_id, 'manifest of revision ' || revision, null, hash
from manifest
where period_id = any(:ids)
order by 1, 2
