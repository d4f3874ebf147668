-- Proves that a period which is not settled has no posting, no manifest and no second revision,
-- and that its lines are written exactly if its state says so.
-- A row: a revision, manifest or missing lines of an unsettled period.

select
  revision.period_id,
  said(
    case
      when posted_at is not null then 'difference.posting'
      when filled_at is not null and revision.revision = 1 and state <> 'open'
        then 'difference.filling'
      else 'difference.revision'
    end,
    jsonb_build_object('revision', revision.revision)) as what,
  null as derived,
  said(
    case when posted_at is null then 'difference.unsettled' else 'difference.unsettled-posted' end,
    jsonb_strip_nulls(jsonb_build_object('state', state, 'lines', coalesce(lines, 0),
      'payments', coalesce(payments, 0), 'at', posted_at))) as stored
from revision
join period on period.id = revision.period_id
where revision.period_id = any(:ids)
  and (posted_at is not null
    or revision.revision <> 1
    or state = 'open'
    or state = 'sealed' and filled_at is not null)
union all
select
  id,
  said('difference.filling', jsonb_build_object('revision', 1)),
  said('difference.of-state', jsonb_build_object('state', state)),
  null
from period
where id = any(:ids)
  and is_filled(state)
  and not exists (
    select from revision
    where revision.period_id = period.id
      and revision.revision = 1
      and filled_at is not null)
union all
select
  period_id,
  said('difference.manifest', jsonb_build_object('revision', revision)),
  null,
  to_jsonb(hash)
from manifest
where period_id = any(:ids)
order by 1, 2
