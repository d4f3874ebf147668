-- Proves that no audit entry was changed or removed: the hash of each link covers its entry and
-- the link before.
-- No time is cast to bigint: a forged one may be infinite.
-- A row: an audit entry whose link is missing, extra or has another hash.

with chained as (
  select n, audit_entry_id, hash as stored, lag(hash, 1, '') over (order by n) as former
  from audit_link
), derived as (
  select
    coalesce(audit_entry.id, chained.audit_entry_id) as id,
    audit_entry.verb,
    audit_entry.by,
    audit_entry.at,
    n is null as unlinked,
    case when audit_entry.id is null then null when n is null then ''
      else encode(sha256(convert_to(concat_ws('|',
        former,
        trim_scale(extract(epoch from audit_entry.at) * 1000000),
        quote_nullable(audit_entry.by),
        quote_nullable(audit_entry.verb),
        quote_nullable(audit_entry.board),
        quote_nullable(audit_entry.period),
        quote_nullable(audit_entry.revision),
        quote_nullable(audit_entry.member),
        quote_nullable(audit_entry.reason),
        audit_entry.details), 'UTF8')), 'hex') end as derived,
    stored
  from chained
  full join audit_entry on audit_entry.id = chained.audit_entry_id
)
select
  0 as period_id,
  case when at is null then said('difference.removed-audit-entry', jsonb_build_object('id', id))
    else said('difference.audit-entry',
      jsonb_build_object('id', id, 'verb', verb, 'by', by, 'at', at)) end as what,
  case when unlinked then said('difference.any-link') else to_jsonb(derived) end as derived,
  stored
from derived
where derived is distinct from stored
order by id
