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
      (extract(epoch from counted_at) * 1000000)::bigint), 'UTF8')), 'hex') as derived
  from manifest_link
)
select
  0 as period_id,
  format('link %s of the manifests, of %s %s', n, board, period) as what,
  derived,
  hash as stored
from chained
where derived <> hash
union all
select
  0,
  format('manifest of revision %s of %s', pair.revision,
    coalesce(pair.linked, period.board || ' ' || period.name,
      'a period that does not exist')),
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
  format('period of link %s of the manifests', n),
  concat_ws(' ', link.board, link.period),
  period.board || ' ' || period.name
from manifest_link link
left join period on period.id = link.period_id
where (link.board, link.period) is distinct from (period.board, period.name)
union all
select
  0,
  format('audit entry of link %s of the audit-log, in link %s of the manifests', link.audit_link,
    link.n),
  link.audit_hash,
  entered.hash
from manifest_link link
left join audit_link entered on entered.n = link.audit_link
where link.audit_link is not null and entered.hash is distinct from link.audit_hash
