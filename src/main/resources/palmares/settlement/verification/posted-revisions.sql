-- Proves that the current revision of a period is its latest posted one; that each posted revision
-- was approved, by the board's rules or by a person in the audit log; and that only posted revisions
-- have a manifest.
-- A row: a revision for which this does not hold.

select
  period.id as period_id,
  said('difference.current-revision') as what,
  posted.revision::text as derived,
  to_jsonb(period.revision::text) as stored
from period
left join lateral (
  select max(revision) as revision
  from revision
  where revision.period_id = period.id and posted_at is not null
) posted on true
where period.id = any(:ids) and posted.revision is distinct from period.revision
union all
select
  period_id,
  said('difference.posting', jsonb_build_object('revision', revision)),
  null,
  coalesce(to_jsonb(decided_by), said('difference.undecided'))
from revision
where period_id = any(:ids) and posted_at is not null
  and (verdict is distinct from 'approved'
    or (base is not null and decided_by = 'the board''s rules')
    or (decided_by is distinct from 'the board''s rules' and not exists (
      select from audit_entry
      join period on period.id = revision.period_id
      where audit_entry.verb = 'approve'
        and audit_entry.board = period.board
        and audit_entry.period = period.name
        and audit_entry.revision = revision.revision
        and audit_entry.by = revision.decided_by
        and audit_entry.reason = revision.verdict_reason)))
union all
select
  period_id,
  said('difference.manifest', jsonb_build_object('revision', revision)),
  null,
  to_jsonb(hash)
from manifest
join revision using (period_id, revision)
where period_id = any(:ids) and posted_at is null
order by 1, 2
