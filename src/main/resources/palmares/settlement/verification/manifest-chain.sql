-- Proves that each manifest is linked to the one posted before it, on any board, and to the last
-- audit entry at that time, so that none can be changed, added or removed without breaking the
-- chain.
-- A row: a link with another hash, manifest, audit entry or period than derived, or a manifest
-- without a link.

with chained as (
  select
    *,
    encode(sha256(convert_to(concat_ws('|',
      lag(hash, 1, '') over (order by n),
      quote_nullable(board),
      quote_nullable(period),
      period_id,
      revision,
      manifest_hash,
      audit_link,
      audit_hash,
      trim_scale(extract(epoch from counted_at) * 1000000)), 'UTF8')), 'hex') as derived
  from manifest_link
)
select
  0 as period_id,
  said('difference.manifest-link', jsonb_build_object('n', n, 'board', board, 'period', period))
    as what,
  derived,
  hash as stored
from chained
where derived <> hash
union all
select
  0,
  said('difference.manifest-of', jsonb_build_object(
    'revision', pair.revision,
    'period', coalesce(to_jsonb(coalesce(pair.linked, period.board || ' ' || period.name)),
      said('difference.no-period')))),
  pair.derived,
  pair.stored
from (
  select
    period_id,
    revision,
    link.board || ' ' || link.period as linked,
    link.manifest_hash as derived,
    manifest.hash as stored
  from manifest_link link
  full join manifest using (period_id, revision)
) pair
left join period on period.id = pair.period_id
where pair.derived is distinct from pair.stored
union all
select
  0,
  said('difference.linked-period', jsonb_build_object('n', n)),
  concat_ws(' ', link.board, link.period),
  period.board || ' ' || period.name
from manifest_link link
left join period on period.id = link.period_id
where (link.board, link.period) is distinct from (period.board, period.name)
union all
select
  0,
  said('difference.linked-audit-entry',
    jsonb_build_object('n', link.n, 'auditLink', link.audit_link)),
  link.audit_hash,
  entered.hash
from manifest_link link
left join audit_link entered on entered.n = link.audit_link
where link.audit_link is not null and entered.hash is distinct from link.audit_hash
