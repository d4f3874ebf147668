-- Proves that each frozen exclusion copies an exclusion that covers the period, and that no
-- stronger one in force is left out. An exclusion of a list counts if the rules, as parsed from
-- their text, refer to the list. An exclusion made or lifted at the instant of the freeze may
-- be in it or not.
-- A row: a member whose frozen exclusion differs, or is missing.

with judged as (
  select
    revision.period_id,
    revision.frozen_at,
    period.board,
    period.starts_at,
    period.ends_at
  from revision
  join period on period.id = revision.period_id and period.id = any(:ids)
  where revision.period_id = any(:ids) and revision.revision = :revision
), covering as (
  select
    judged.period_id,
    exclusion.*,
    array_position(array['no-prize', 'unranked', 'hidden'], exclusion.level) as weight,
    judged.frozen_at
  from judged
  join exclusion
    on (exclusion.board is null or exclusion.board = judged.board)
    and (exclusion.list is null or exclusion.list = any(:lists))
    and (exclusion.starts_at is null or exclusion.starts_at < judged.ends_at)
    and (exclusion.ends_at is null or exclusion.ends_at > judged.starts_at)
    and (exclusion.lifted_at is null or exclusion.lifted_at >= judged.frozen_at)
), stored as (
  select
    period_id,
    revision,
    member,
    exclusion_id as id,
    array_position(array['no-prize', 'unranked', 'hidden'], level) as weight,
    exclusion_text(level, board, list, starts_at, ends_at, made_by, reason) as text
  from frozen_exclusion
  where period_id = any(:ids)
    and (revision = :revision
      or :revision = 1 and not exists (
        select from revision known
        where known.period_id = frozen_exclusion.period_id
          and known.revision = frozen_exclusion.revision))
), derived as (
  select
    period_id,
    :revision as revision,
    member,
    id,
    weight,
    made_at < frozen_at and (lifted_at is null or lifted_at > frozen_at) as sure,
    exclusion_text(level, board, list, starts_at, ends_at, made_by, reason) as text
  from covering
), strongest as (
  select distinct on (period_id, member) period_id, revision, member, weight, text
  from derived
  where sure and (
    exists (
      select from {lines} line
      join revision closing
        on closing.id = line.outcome and closing.id = any(:closings)
      where closing.period_id = derived.period_id
        and line.member = derived.member
        and line.outcome = any(:closings))
    or exists (
      select from amended_line
      where amended_line.period_id = derived.period_id
        and amended_line.revision = :revision
        and amended_line.member = derived.member))
  order by period_id, member, weight desc, id
), differing as (
  select
    stored.period_id,
    stored.revision,
    stored.member,
    derived.text as derived,
    stored.text as stored
  from stored
  left join derived using (period_id, revision, member, id)
  where derived.text is distinct from stored.text
  union all
  select
    strongest.period_id, strongest.revision, strongest.member, strongest.text, stored.text
  from strongest
  left join stored using (period_id, revision, member)
  where stored.weight is null or stored.weight < strongest.weight
)
select
  period_id,
  said('difference.frozen-exclusion', jsonb_build_object('member', member, 'revision', revision))
    as what,
  derived,
  stored
from differing
order by period_id, member
