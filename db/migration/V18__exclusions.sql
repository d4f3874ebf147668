-- Exclusions in force, and what a revision keeps of them.

-- When the exclusions of a revision were frozen; empty before.
alter table revision add column frozen_at timestamptz;

-- What is looked up at each freeze and each exclusion: the latest times.
create index revision_frozen on revision (frozen_at);
create index exclusion_made on exclusion (made_at);
create index exclusion_lifted on exclusion (lifted_at);

-- The time of the latest freeze in microseconds since 1970. A sequence, so that everybody sees it at
-- once: also of a freeze whose transaction has not committed yet.
create sequence freeze_clock minvalue 0 start 0;

-- The time of a freeze: later than all exclusions and liftings that were made before it, while those
-- made after it are later still, whatever the clocks of the processes. The lock is held for this
-- moment alone, and not for as long as the ranking takes.
create function begin_freeze(present timestamptz) returns timestamptz language plpgsql as $$
declare
  key constant bigint := hashtextextended('exclusions', 0);
  moment timestamptz;
begin
  perform pg_advisory_lock(key);
  begin
    select greatest(
        present,
        timestamptz 'epoch' + (last_value + 1) * interval '1 microsecond',
        made + interval '1 microsecond')
      into moment
      from freeze_clock, (
        select greatest(max(made_at), max(lifted_at)) as made from exclusion) latest;
    perform setval('freeze_clock', (extract(epoch from moment) * 1000000)::bigint);
  exception when query_canceled or others then
    perform pg_advisory_unlock(key);
    raise;
  end;
  perform pg_advisory_unlock(key);
  return moment;
end $$;

-- The time of an exclusion or a lifting: later than all freezes. Until the transaction ends, there is
-- no other, and no freeze.
create function begin_exclusion(present timestamptz) returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('exclusions', 0));
  return (
    select greatest(present, timestamptz 'epoch' + (last_value + 1) * interval '1 microsecond')
    from freeze_clock);
end $$;

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

-- Who shaped the outcome of a revision, and how: by an exclusion or a lifting that made a difference to
-- one of its members, a correction, a decision on a late event or on ties, or by asking for it. What
-- shaped a posted revision shapes all that amend it.
create view shaper as
select period_id, revision, lower(btrim(by)) as name, how
from (
  select period_id, revision, made_by as by, 'by an exclusion' as how
  from frozen_exclusion
  union
  select revision.period_id, revision.revision, exclusion.lifted_by, 'by lifting an exclusion'
  from revision
  join period on period.id = revision.period_id
  join exclusion
    on exclusion.lifted_at >= period.starts_at
    and exclusion.lifted_at < revision.frozen_at
    and coalesce(exclusion.board, period.board) = period.board
    and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
    and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
  where exists (
    select from standing
    where standing.period_id = revision.period_id
      and standing.revision = revision.revision
      and standing.member = exclusion.member)
  union
  select period_id, revision, made_by, 'by a correction'
  from correction
  union
  select revision.period_id, revision.revision, loss.made_by, 'by acknowledging a loss'
  from revision
  join acknowledged_loss loss on loss.period_id = revision.period_id
  union
  select revision.period_id, revision.revision, late_event.decided_by,
    'by a decision on a late event'
  from revision
  join period on period.id = revision.period_id
  join late_event
    on late_event.board = period.board
    and late_event.period = period.name
    and late_event.decided_at <= revision.prepared_at
  union
  select later.period_id, later.revision, shaped.by, shaped.how
  from revision
  cross join lateral (values
    (ties_by, 'by a decision on ties'),
    (case when base is not null then prepared_by end, 'by asking for the amendment')
  ) as shaped (by, how)
  join revision later
    on later.period_id = revision.period_id
    and (later.revision = revision.revision
      or later.revision > revision.revision and revision.posted_at is not null)
  where shaped.by is not null
) shaped;

-- The people who stand behind a revision: who approved it, and who closed the period by hand. Nobody
-- who shaped it counts.
create view approver as
select period_id, revision, name
from (
  select period_id, revision, lower(btrim(by)) as name from approval
  union
  select period_id, revision, lower(btrim(closed_by)) from revision where closed_by is not null
) person
where not exists (
  select from shaper
  where shaper.period_id = person.period_id
    and shaper.revision = person.revision
    and shaper.name = person.name);

-- In the transaction that pays.
create function require_approvers() returns trigger language plpgsql as $$
begin
  if (
    select count(*) from approver
    where period_id = new.period_id and revision = new.revision) < 2
  then
    raise exception 'posting of revision % of period % refused: two people must approve it',
      new.revision, new.period_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger "two people approve what needs two" after update of posted_at on revision
  for each row when (new.two_person and old.posted_at is null and new.posted_at is not null)
  execute function require_approvers();
