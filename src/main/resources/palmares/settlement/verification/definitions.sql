-- Proves that each definition by which a period or revision was computed is stored, and hashes to
-- its key.
-- A row: a definition that is missing or has another hash.

select
  0 as period_id,
  format('definition %s of %s', used.hash, used.board) as what,
  'a row' as derived,
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
  format('hash of the definition that was first used at %s', first_used_at),
  encode(sha256(convert_to(source, 'UTF8')), 'hex'),
  hash
from definition
where hash <> encode(sha256(convert_to(source, 'UTF8')), 'hex')
