-- Proves that each definition by which a period or revision was computed is stored, and hashes to
-- its key.
-- A row: a definition that is missing or has another hash.

select
  0 as period_id,
  said('difference.definition', jsonb_build_object('hash', used.hash, 'board', used.board))
    as what,
  said('difference.rules') as derived,
  null as stored
from (
  select definition_hash as hash, board from period
  union
  select revision.definition_hash, period.board
  from revision
  join period on period.id = revision.period_id
) used
left join definition using (hash)
where definition.hash is null
union all
select
  0,
  said('difference.definition-hash', jsonb_build_object('at', first_used_at)),
  to_jsonb(encode(sha256(convert_to(source, 'UTF8')), 'hex')),
  to_jsonb(hash)
from definition
where hash <> encode(sha256(convert_to(source, 'UTF8')), 'hex')
