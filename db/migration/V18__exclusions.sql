-- Exclusions in force, and what a revision keeps of them.

-- When the exclusions of a revision were frozen; empty before.
alter table revision add column frozen_at timestamptz;

-- What is looked up at each freeze and each exclusion: the latest times.
create index revision_frozen on revision (frozen_at);
create index exclusion_made on exclusion (made_at);
create index exclusion_lifted on exclusion (lifted_at);

-- As the exclusion stood then: nothing that is said later changes it.
alter table frozen_exclusion
  add column board text,
  add column starts_at timestamptz,
  add column ends_at timestamptz,
  add column reason text,
  add column made_by text;

-- A revision that is only supposed may hide whom no exclusion does; it is never posted, and
-- verification takes such a row for one too many.
alter table frozen_exclusion alter column exclusion_id drop not null;

-- How strong a level is: the smallest number wins.
create function strength(level text) returns int language sql immutable
return case level when 'hidden' then 1 when 'unranked' then 2 else 3 end;

-- The strongest exclusion of each member that is in force for a period now.
create view exclusion_in_force as
select distinct on (period.id, exclusion.member)
  period.id as period_id,
  exclusion.member,
  exclusion.level,
  exclusion.id as exclusion_id,
  exclusion.board,
  exclusion.starts_at,
  exclusion.ends_at,
  exclusion.reason,
  exclusion.made_by
from period
join exclusion
  on exclusion.lifted_at is null
  and coalesce(exclusion.board, period.board) = period.board
  and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
  and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
order by period.id, exclusion.member, strength(exclusion.level), exclusion.id;

create function refuse_exclusion_edit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
      and old.lifted_at is null
      and to_jsonb(new) - array['lifted_by', 'lifted_at', 'lift_reason']
        = to_jsonb(old) - array['lifted_by', 'lifted_at', 'lift_reason']
  then
    return new;
  end if;
  raise exception '% of exclusion % refused: it is lifted, once, and never edited', tg_op, old.id
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger "an exclusion is lifted and never edited" before update or delete on exclusion
  for each row execute function refuse_exclusion_edit();
create trigger "exclusions are never emptied" before truncate on exclusion
  for each statement execute function refuse_edit();
alter table exclusion enable always trigger "an exclusion is lifted and never edited";
alter table exclusion enable always trigger "exclusions are never emptied";

-- The members that a loss is about, in the revision that stands.
create or replace view loss_line as
select
  period.board,
  period.name as period,
  loss.kind,
  loss.points,
  loss.reached_at,
  loss.members,
  standing.place,
  standing.member
from loss
join period on period.id = loss.period_id
join standing
  on standing.period_id = loss.period_id
  and standing.revision = period.revision
  and standing.points = loss.points
  and standing.reached_at is not distinct from loss.reached_at;
