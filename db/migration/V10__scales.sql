-- Boards that go by values, second keys and arrivals.

-- The sender's value, what came of the second key, and a digest of what was told, which tells a
-- repeat from another event with the same id. Empty in events that were decided without them.
alter table event
  add column value bigint,
  add column then_by bigint not null default 0,
  add column digest text,
  drop constraint "an event has a known outcome",
  drop constraint "an event changes points as its outcome says",
  add constraint "an event has a known outcome" check (
    outcome in (
      'applied', 'undone', 'repeated', 'nothing-to-undo', 'unchanged', 'capped', 'discarded')),
  add constraint "an event changes points as its outcome says" check (
    case outcome
      when 'applied' then points > 0 or value is not null
      when 'undone' then points < 0
      else points = 0
    end);

alter table late_event
  add column value bigint,
  add column then_by bigint;

alter table snapshot
  add column then_by bigint not null default 0,
  -- The number of the event that brought it, where arrivals break ties; else 0.
  add column arrival bigint not null default 0,
  add constraint "the second key in a snapshot is not negative" check (then_by >= 0);

alter table standing
  add column then_by bigint not null default 0,
  add column arrival bigint not null default 0;

-- The same lines, with the second key.
create or replace view palmares as
select
  period.board,
  period.name as period,
  period.starts_at,
  standing.revision,
  standing.place,
  standing.rank,
  standing.member,
  standing.points,
  standing.reached_at,
  coalesce(paid.credits, 0) as credits,
  standing.then_by
from standing
join period on period.id = standing.period_id
cross join lateral (
  select max(revision) as revision
  from standing
  where standing.period_id = period.id
) latest
cross join lateral (
  select sum(amount) as credits
  from transfer
  where transfer.period_id = standing.period_id
    and transfer.revision = standing.revision
    and transfer.member = standing.member
) paid
where period.state in ('settled', 'expired') and standing.revision = latest.revision;
