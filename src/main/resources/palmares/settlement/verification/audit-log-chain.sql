-- Proves that no audit entry was changed or removed: the hash of each link covers its entry and
-- the link before. The entry of a forgotten person has the hash that it got when it was renamed.
-- A row: an audit entry whose link is missing, extra or has another hash.

with chained as (
  select n, act_id, hash as stored, lag(hash, 1, '') over (order by n) as former
  from act_link
), derived as (
  select
    coalesce(act.id, chained.act_id) as id,
    act.verb,
    act.by,
    act.at,
    case when act.id is null then null when n is null then 'a link'
      else encode(sha256(convert_to(concat_ws('|',
        former,
        (extract(epoch from act.at) * 1000000)::bigint,
        quote_nullable(act.by),
        quote_nullable(act.verb),
        quote_nullable(act.board),
        quote_nullable(act.period),
        quote_nullable(act.revision),
        quote_nullable(act.member),
        quote_nullable(act.reason)), 'UTF8')), 'hex') end as derived,
    stored
  from chained
  full join act on act.id = chained.act_id
)
select
  0 as period_id,
  concat_ws(' ', 'audit entry', id || ':', verb, 'by ' || by, 'at ' || at) as what,
  derived,
  stored
from derived
where derived is distinct from stored
  and not exists (
    select from forgotten_act kept where kept.act_id = derived.id and kept.hash = derived.derived)
order by id
