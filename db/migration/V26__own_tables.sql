-- Big periods have tables of their own, which inherit from snapshot, standing, award, transfer and
-- entry. No foreign key looks into them, so that the laws between these tables are held by
-- statement.

alter table tier_move drop constraint tier_move_period_id_revision_member_fkey;

create function require_line_of_move() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  outcome record;
  stray record;
begin
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
      raise exception 'move of % refused: no such line in revision % of period %',
        stray.member, stray.revision, stray.period_id
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;
create trigger "a move is of a line" after insert on tier_move
  referencing new table as added for each statement execute function require_line_of_move();
create trigger "a changed move is of a line" after update on tier_move
  referencing new table as added for each statement execute function require_line_of_move();

create function require_no_move() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  outcome record;
  left_over record;
begin
  for outcome in select distinct period_id, revision from gone loop
    select tier_move.* into left_over
      from gone
      join tier_move
        on tier_move.period_id = outcome.period_id
        and tier_move.revision = outcome.revision
        and tier_move.member = gone.member
      left join standing
        on standing.period_id = outcome.period_id
        and standing.revision = outcome.revision
        and standing.member = gone.member
      where (gone.period_id, gone.revision) = (outcome.period_id, outcome.revision)
        and standing.place is null
      limit 1;
    if found then
      raise exception 'line of % refused to go: it moves to tier %',
        left_over.member, left_over.to_tier
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;
create trigger "a line with moves stays" after delete on standing
  referencing old table as gone for each statement execute function require_no_move();
create trigger "a line with moves keeps its name" after update on standing
  referencing old table as gone for each statement execute function require_no_move();

-- What a session planned when the tables were small is not what a million rows want.
alter function require_line() set plan_cache_mode = force_custom_plan;
alter function require_no_award() set plan_cache_mode = force_custom_plan;

-- A rule pays a member once in a revision, whichever table the payment stands in: the first revision
-- of a period that has a table of its own stands there, wholly.
create function require_own_table() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  astray bigint;
begin
  select period_id into astray
    from (select distinct period_id from added where revision = 1) first
    where to_regclass('transfer_' || period_id) is not null
    limit 1;
  if astray is not null and tg_table_name <> 'transfer_' || astray then
    raise exception 'transfers of period % stand in a table of its own, transfer_%', astray, astray
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger "transfers of a big period stand together" after insert on transfer
  referencing new table as added for each statement execute function require_own_table();
alter table transfer enable always trigger "transfers of a big period stand together";
