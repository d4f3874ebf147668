-- Events that are acknowledged when they are here. The relay brings them to Redis, in the order of
-- n, until they are applied. No foreign key, since relay's row stands for the whole.
create table committed_event (
  period_id bigint not null,
  -- Counts up in the order in which the period's events committed; numbers may be left out.
  n bigint not null,
  id text not null,
  member text collate "C" not null,
  action text not null,
  subject text,
  undo boolean not null,
  quantity bigint not null,
  -- What it adds; 0 where events bring a value.
  worth bigint not null,
  value bigint,
  then_by bigint not null,
  -- Tells a repeat from another event with the same id.
  digest text not null,
  -- What it counts by, whenever the relay brings it.
  occurred_at timestamptz not null,
  committed_at timestamptz not null,
  -- What became of it on the live board: its outcome, the points that it gave or took, and those
  -- that the member held after it. Empty until the relay has brought it there.
  outcome text,
  points bigint,
  total bigint,
  primary key (period_id, n),
  constraint "an event is committed once in a period" unique (period_id, id),
  constraint "a committed event has a known outcome" check (
    outcome in (
      'applied', 'undone', 'repeated', 'nothing-to-undo', 'unchanged', 'capped',
      'full', 'full-then', 'full-sum', 'exhausted', 'conflict')),
  constraint "a relayed event says what it changed" check (
    (outcome is null) = (points is null) and (outcome is null) = (total is null))
) with (fillfactor = 80); -- its rows change once, in place

-- How far a period's events have come: committed to the last number, relayed to that one.
create table relay (
  period_id bigint primary key references period,
  committed bigint not null,
  relayed bigint not null,
  constraint "nothing is relayed before it is committed" check (relayed between 0 and committed)
) with (fillfactor = 50);

-- Of the committed events, those that a live board keeps, or will: what the journal must have.
create view kept_commit as
select period_id, n, id, member, outcome, points
from committed_event
where outcome is null
  or outcome in ('applied', 'undone', 'repeated', 'nothing-to-undo', 'unchanged', 'capped');
