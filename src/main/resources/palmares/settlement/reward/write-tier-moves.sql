-- Writes who moves up and down from a tier, by the places in {lines}, the outcome's table.

with ranked as (
  select
    line.member,
    line.place,
    frozen.member is null and line.points >= :least as promotable
  from {lines} line
  left join frozen_exclusion frozen
    on frozen.period_id = :period
    and frozen.revision = :revision
    and frozen.member = line.member
  where line.outcome = :outcome and line.rank is not null
), up as (
  select member from ranked where promotable order by place limit :promoted
), down as (
  select member from ranked
  where not exists (select from up where up.member = ranked.member)
  order by place desc
  limit :relegated
)
insert into tier_move (
  period_id, revision, member, family, tier, direction, to_tier, to_board)
select :period, :revision, member, :family, :tier, 'up', :tier - 1, :above::text from up
union all
select :period, :revision, member, :family, :tier, 'down', :tier + 1, :below::text from down
