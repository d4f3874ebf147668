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
    format('payments of revision %s of %s %s', revision.revision, board, name) as what,
    format('%s payments, checksum %s',
      coalesce(substring(body from '(?n)^payments: (.*)$'), 'no manifest, no'),
      coalesce(substring(body from '(?n)^payments-checksum: (.*)$'), 'none')) as derived,
    format('%s payments, checksum %s',
      coalesce(stored.payments, 0), coalesce(stored.payment_sum, 0)) as stored
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
