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

-- An award is of a line: looked at once a statement, since a million look-ups, each by whatever plan
-- was kept from when the table was small, can take longer than the closing.
alter table award drop constraint award_period_id_revision_member_fkey;

create function require_line() returns trigger language plpgsql as $$
declare
  outcome record;
  stray record;
begin
  -- One outcome after the other: with its numbers as constants, no row of another period is read.
  for outcome in select distinct period_id, revision from added loop
    select added.* into stray
      from added
      left join standing
        on standing.period_id = outcome.period_id
        and standing.revision = outcome.revision
        and standing.member = added.member
      where (added.period_id, added.revision) = (outcome.period_id, outcome.revision)
        and standing.place is null
      limit 1;
    if found then
      raise exception 'award of % by % refused: no such line in revision % of period %',
        stray.member, stray.rule, stray.revision, stray.period_id
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;

create function require_no_award() returns trigger language plpgsql as $$
declare
  outcome record;
  left_over record;
begin
  for outcome in select distinct period_id, revision from gone loop
    select award.* into left_over
      from gone
      join award
        on award.period_id = outcome.period_id
        and award.revision = outcome.revision
        and award.member = gone.member
      left join standing
        on standing.period_id = outcome.period_id
        and standing.revision = outcome.revision
        and standing.member = gone.member
      where (gone.period_id, gone.revision) = (outcome.period_id, outcome.revision)
        and standing.place is null
      limit 1;
    if found then
      raise exception 'line of % refused to go: % credits by % are awarded to it',
        left_over.member, left_over.credits, left_over.rule
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;

create trigger "an award is of a line" after insert on award
  referencing new table as added for each statement execute function require_line();
create trigger "a changed award is of a line" after update on award
  referencing new table as added for each statement execute function require_line();
create trigger "a line with awards stays" after delete on standing
  referencing old table as gone for each statement execute function require_no_award();
create trigger "a line with awards keeps its name" after update on standing
  referencing old table as gone for each statement execute function require_no_award();
