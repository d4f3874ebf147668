-- Proves that each change of a checksum, and each renamed audit entry and manifest, was made by the
-- forgetting of a person: the audit entry of the forgetting has the digest of all of them. An
-- attempt under way has no entry yet, and is completed within a day.
-- A row: a person whose changes are not those of the audit log, a forgetting that was not
-- completed, or a renamed manifest that belongs to nobody.

with traced as (
  select pseudonym from forgotten_sum
  union
  select pseudonym from forgotten_act
  union
  select pseudonym from forgotten_manifest
), compared as (
  select
    pseudonym,
    forgotten_digest(pseudonym) as derived,
    (
      select string_agg(coalesce(substring(reason from '\[([0-9a-f]+)\]$'), 'none'), ' ')
      from act
      where verb = 'forget' and act.member = traced.pseudonym
    ) as stored
  from traced
  where not exists (
    select from forgetting
    where forgetting.pseudonym = traced.pseudonym
      and started_at > now() - interval '1 day')
)
select
  0 as period_id,
  format('what renaming to %s changed', pseudonym) as what,
  derived,
  stored
from compared
where derived is distinct from stored
union all
select
  0,
  format('forgetting of %s, under way since %s', pseudonym, started_at),
  'complete it',
  null
from forgetting
where started_at <= now() - interval '1 day'
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
