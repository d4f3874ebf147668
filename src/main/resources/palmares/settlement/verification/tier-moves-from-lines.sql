-- Proves who moves up or down between the tiers of a family, and to which board.
-- A row: a member whose move differs, is missing or is extra.

with ranked as (
  select
    revision.period_id,
    line.member,
    line.place,
    count(*) over (partition by line.outcome) as members,
    line.points >= :leastPromoted and frozen.member is null as promotable
  from {lines} line
  -- In the join: if a constant makes WHERE false, no partition is pruned.
  join revision
    on revision.id = line.outcome
    and revision.id = any(:outcomes)
    and line.outcome = any(:outcomes)
  left join frozen_exclusion frozen
    on frozen.period_id = revision.period_id
    and frozen.revision = revision.revision
    and frozen.member = line.member
  where :family <> ''
    and line.rank is not null
), counted as (
  select
    *,
    case when :promotePercent then floor(members * :promote / 100) else :promote end as ups,
    case when :relegatePercent then floor(members * :relegate / 100) else :relegate end
      as downs,
    sum(promotable::int) over (partition by period_id order by place) as from_top
  from ranked
), promoted as (
  select *, promotable and from_top <= ups as goes_up from counted
), numbered as (
  select
    *,
    sum((not goes_up)::int) over (partition by period_id order by place desc) as from_bottom
  from promoted
), moved as (
  select
    period_id,
    member,
    goes_up,
    case when goes_up then :tier - 1 else :tier + 1 end as to_tier
  from numbered
  where goes_up or from_bottom <= downs
), target as materialized (
  select own.id as period_id, known.tier as to_tier, min(other.board) as to_board
  from period own
  join period other using (starts_at, ends_at)
  join revision
    on revision.period_id = own.id
    and revision.period_id = any(:ids)
    and revision.revision = :revision
  join unnest(:tierBoards::text[], :tierHashes::text[], :tierNumbers::int[])
    as known (board, hash, tier)
    on known.board = other.board and known.hash = other.definition_hash
  where own.id = any(:ids)
    and other.id <> own.id
    and other.opened_at <= revision.prepared_at
  group by own.id, known.tier
), derived as (
  select
    moved.period_id,
    :revision as revision,
    moved.member,
    :family as family,
    :tier as tier,
    case when goes_up then 'up' else 'down' end as direction,
    to_tier,
    to_board
  from moved
  left join target using (period_id, to_tier)
), stored as (
  select period_id, revision, member, family, tier, direction, to_tier, to_board
  from tier_move
  where period_id = any(:ids)
    and (revision = :revision or :revision = 1 and not exists (
      select from revision known
      where known.period_id = tier_move.period_id and known.revision = tier_move.revision))
)
select
  period_id,
  said('difference.tier-move', jsonb_build_object('member', member, 'revision', revision)) as what,
  case when derived.direction is not null then
    said('difference.move', jsonb_build_object(
      'direction', derived.direction, 'tier', derived.tier, 'family', derived.family,
      'board', coalesce(to_jsonb(derived.to_board), said('difference.no-board')))) end as derived,
  case when stored.direction is not null then
    said('difference.move', jsonb_build_object(
      'direction', stored.direction, 'tier', stored.tier, 'family', stored.family,
      'board', coalesce(to_jsonb(stored.to_board), said('difference.no-board')))) end as stored
from derived
full join stored using (period_id, revision, member)
where (derived.family, derived.tier, derived.direction, derived.to_tier, derived.to_board)
  is distinct from
    (stored.family, stored.tier, stored.direction, stored.to_tier, stored.to_board)
order by period_id, revision, member
