-- Proves that each posted outcome still has the payments that its manifest counts, by number and
-- checksum.
-- A row: an outcome whose payments differ from its manifest.

with stored as (
  select outcome, count(*) as payments,
    sum(payment_hash(rule, purpose, amount, member))
      as payment_sum
  from {payments} payment
  where outcome = any(:outcomes)
  group by outcome
), compared as (
  select
    said('difference.payments', jsonb_build_object(
      'revision', revision.revision, 'board', board, 'period', name)) as what,
    said('difference.counted-payments', jsonb_build_object(
      'payments', coalesce(to_jsonb(manifest_field(body, 'payments')),
        said('difference.none')),
      'checksum', coalesce(to_jsonb(manifest_field(body, 'payments-checksum')),
        said('difference.none')))) as derived,
    said('difference.counted-payments', jsonb_build_object(
      'payments', coalesce(stored.payments, 0)::text,
      'checksum', coalesce(stored.payment_sum, 0)::text)) as stored
  from revision
  join period on period.id = revision.period_id
  left join manifest
    on manifest.period_id = revision.period_id and manifest.revision = revision.revision
  left join stored on stored.outcome = revision.id
  where revision.id = any(:outcomes)
)
select 0 as period_id, what, derived, stored
from compared
where derived <> stored
order by what
