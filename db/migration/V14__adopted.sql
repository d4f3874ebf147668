-- Boards that a team's own program writes: settled from its keys, by what its scores tell.

-- When an adopted board's keys were first seen: a board that is missing later was lost.
alter table period add column seen_at timestamptz;

-- Empty where the scores tell no time.
alter table snapshot alter column reached_at drop not null;
alter table standing alter column reached_at drop not null;

-- Members whose order the scores do not tell: each row is a group that holds the same points at the
-- same time, as far as can be known.
create table loss (
  period_id bigint not null references period,
  kind text not null,
  points bigint not null,
  reached_at timestamptz,
  members bigint not null,
  constraint "a member is lost in one group" unique nulls not distinct (
    period_id, points, reached_at),
  constraint "a loss has a known kind" check (kind in ('no-time', 'equal-time', 'coarse-time')),
  constraint "nothing is lost of a member alone" check (members > 1),
  constraint "a time is lost where there is none" check (
    kind <> 'no-time' or reached_at is null)
);

-- What a program wrote under its keys after the seal: never paid, left alone.
create table late_write (
  period_id bigint not null references period,
  key text not null,
  entries bigint not null,
  seen_at timestamptz not null,
  primary key (period_id, key),
  constraint "a late write wrote something" check (entries > 0)
);

create view loss_overview as
select
  period.board,
  period.name as period,
  loss.kind,
  loss.points,
  loss.reached_at,
  loss.members
from loss
join period on period.id = loss.period_id;

-- The members that a loss is about, at the places that the one order gave them all the same.
create view loss_line as
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
  and standing.revision = 1
  and standing.points = loss.points
  and standing.reached_at is not distinct from loss.reached_at;

-- What a reader of a period should know beside its lines.
create view period_note as
select period.board, period.name as period, note.note
from period
cross join lateral (
  select concat_ws(
    '; ',
    (select format('the order of %s members in %s %s is not known', sum(members), count(*),
        case when count(*) = 1 then 'group' else 'groups' end)
      from loss where loss.period_id = period.id having count(*) > 0),
    (select string_agg(
        format('%s %s written to %s after the seal, and not paid', entries,
          case when entries = 1 then 'entry was' else 'entries were' end, key),
        '; ' order by key)
      from late_write where late_write.period_id = period.id),
    (select format('closed with %s of %s sealed events and %s of %s sealed members, which %s'
          ' acknowledged: %s',
        events, sealed_events, members, sealed_members, made_by, reason)
      from acknowledged_loss
      where acknowledged_loss.period_id = period.id
      order by fence desc
      limit 1)) as note
) note
where note.note <> '';
