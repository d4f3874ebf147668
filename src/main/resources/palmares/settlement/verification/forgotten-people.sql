-- Proves that each change of a checksum or root, each renamed audit entry and manifest, and the code
-- that names a person to receivers, were made by the forgetting of a person: the audit entry of the forgetting has the digest of all of them. While a
-- forgetting is under way, its changes have no proof, so that it is a difference, no matter since
-- when.
-- A row: a forgetting under way, a person whose changes are not those of the audit log, or a
-- renamed manifest that belongs to nobody.

with trace as (
  select pseudonym, concat_ws(' ', 'sum', what, owner, difference) as text
  from forgotten_sum
  union all
  select pseudonym, concat_ws(' ', 'audit entry', audit_entry_id, hash)
  from forgotten_audit_entry
  union all
  select pseudonym, concat_ws(' ', 'manifest', period_id, revision, hash)
  from forgotten_manifest
  union all
  select pseudonym, concat_ws(' ', 'root', outcome, what, former, root)
  from forgotten_root
  union all
  select pseudonym, concat_ws(' ', 'code', hash, generation)
  from forgotten_code
), changed as (
  select
    pseudonym,
    encode(sha256(convert_to(string_agg(text, '|' order by text collate "C"), 'UTF8')), 'hex')
      as digest
  from trace
  group by pseudonym
), entered as (
  select
    member as pseudonym,
    string_agg(coalesce(substring(reason from '\[([0-9a-f]+)\]$'), 'none'), ' ') as digest
  from audit_entry
  where verb = 'forget'
  group by member
), compared as (
  select
    pseudonym,
    -- Somebody without lines, for example, has nothing that is kept; the entry proves this, too.
    coalesce(changed.digest, encode(sha256(''), 'hex')) as derived,
    entered.digest as stored
  from changed
  full join entered using (pseudonym)
)
select
  0 as period_id,
  'forgetting of ' || pseudonym as what,
  null as derived,
  format('under way since %s: run palmares forget with the same id again to end it', started_at)
    as stored
from forgetting
union all
select 0, format('what renaming to %s changed', pseudonym), derived, stored
from compared
where derived is distinct from stored
  and not exists (select from forgetting where forgetting.pseudonym = compared.pseudonym)
union all
select
  0,
  format('renamed manifest of revision %s of period %s', revision, period_id),
  'a forgotten person',
  renamed_hash
from manifest
where renamed_hash is not null
  and not exists (
    select from forgotten_manifest kept
    where kept.period_id = manifest.period_id
      and kept.revision = manifest.revision
      and kept.hash = manifest.renamed_hash)
order by 2
