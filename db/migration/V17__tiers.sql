-- Who goes up or down between the tiers of a board family, by each revision of a period.
create table tier_move (
  period_id bigint not null,
  revision int not null,
  member text collate "C" not null,
  family text not null,
  tier int not null,
  direction text not null,
  to_tier int not null,
  -- The board that was that tier in the same time; empty if none had a period then.
  to_board text,
  primary key (period_id, revision, member),
  foreign key (period_id, revision, member) references standing (period_id, revision, member),
  constraint "a member moves by one tier" check (
    (direction = 'up' and to_tier = tier - 1) or (direction = 'down' and to_tier = tier + 1)),
  constraint "tiers count from the top" check (tier >= 1 and to_tier >= 1)
);
create index tier_move_family on tier_move (family, period_id);

-- What people read: moves by the revisions that stand.
create view tier_overview as
select
  tier_move.family,
  period.name as period,
  period.starts_at,
  tier_move.tier,
  period.board,
  standing.place,
  standing.points,
  tier_move.member,
  tier_move.direction,
  tier_move.to_tier,
  tier_move.to_board
from tier_move
join period on period.id = tier_move.period_id and period.revision = tier_move.revision
join standing
  on standing.period_id = tier_move.period_id
  and standing.revision = tier_move.revision
  and standing.member = tier_move.member
where period.state in ('settled', 'expired');

-- The line that an award is of says that the period is there: one look-up a row is enough.
alter table award drop constraint award_period_id_fkey;
