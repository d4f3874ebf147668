-- Events: the journal, its position and its quarantine, late events, and events that are
-- acknowledged by a commit in PostgreSQL.

-- Every event that a live board decided, in the order of the decisions. Filled by COPY only, from
-- the stream next to the board. It has no foreign key: the row of journal_position holds the
-- period. The columns that closings add up come first, so that they are found without the others.
create table event (
  period_id bigint not null,
  seq bigint not null,
  quantity bigint not null,
  points bigint not null,
  -- What the event did to the second key.
  then_by bigint not null default 0,
  occurred_at timestamptz not null,
  outcome text not null,
  member text collate "C" not null,
  action text not null,
  id text not null,
  subject text,
  -- The sender's value; null on boards that count points.
  value bigint,
  -- A digest of the event's content: distinguishes a repeated event from another with the same id.
  digest text,
  primary key (period_id, seq),
  constraint "an event counts once in a period" unique (period_id, id),
  constraint "an event has a known outcome" check (
    outcome in (
      'applied', 'undone', 'repeated', 'nothing-to-undo', 'unchanged', 'capped', 'discarded')),
  constraint "an event changes points as its outcome says" check (
    case outcome
      when 'applied' then points > 0 or value is not null
      when 'undone' then points < 0
      else points = 0
    end)
);
-- For a member's recent events.
create index event_member on event (member, occurred_at);

-- How far a period's stream has been drained; written in the same transaction as the events.
create table journal_position (
  period_id bigint primary key references period,
  drained bigint not null,
  -- The id in Redis of the journal entry that ends with the last event; null if none was drained.
  entry text,
  -- The sum of event_hash over the events.
  checksum numeric not null default 0,
  constraint "a position counts from zero" check (drained >= 0)
);

-- Open periods whose live board in Redis is lost, or disagrees with the journal in PostgreSQL. The
-- servers that drain journals compare both each second; a row is deleted once they agree.
create table journal_fault (
  period_id bigint primary key references period,
  kind text not null,
  -- Whether a drain found it; then only a drain can find that it is repaired.
  found_by_drain boolean not null,
  -- When a server first found it.
  since timestamptz not null,
  -- The numbers of the first events that are in neither store, if there are such.
  missing_from bigint,
  missing_to bigint,
  -- The state that PostgreSQL has forgotten, if the kind is 'forgotten'.
  forgotten text,
  constraint "a forgotten state is named" check ((kind = 'forgotten') = (forgotten is not null)),
  constraint "a journal fault is of a known kind" check (
    kind in ('lost', 'interrupted', 'torn', 'went-back', 'gap', 'forgotten', 'undrained'))
);

-- Entries of live journals that PostgreSQL refused, until a person decides. A released entry
-- becomes an event. A discarded one leaves an event under its number that changes nothing. Also
-- events of a sealed period that the live board decided against the rules.
create table journal_quarantine (
  period_id bigint not null references period,
  seq bigint not null,
  -- The entry's fields as Redis held them, separated by the character 31.
  entry bytea not null,
  -- Why, a sentence.
  error jsonb not null,
  -- What the rules make of the event, a sentence; null if PostgreSQL refused the entry.
  by_rules jsonb,
  quarantined_at timestamptz not null,
  resolution text,
  resolved_by text,
  resolved_at timestamptz,
  reason text,
  primary key (period_id, seq),
  constraint "a quarantined entry is released or discarded" check (
    resolution in ('released', 'discarded')),
  constraint "a resolved entry says who, when and why" check (
    (resolution is null) = (resolved_by is null)
    and (resolution is null) = (resolved_at is null)
    and (resolution is null) = (reason is null))
);
create index undecided_quarantine on journal_quarantine (period_id) where resolution is null;

-- Events that arrived after the seal or the grace. They count nowhere unless an amendment accepts
-- them.
create table late_event (
  board text not null,
  period text not null,
  id text not null,
  member text collate "C" not null,
  action text not null,
  subject text,
  undo boolean not null,
  quantity bigint not null,
  occurred_at timestamptz not null,
  arrived_at timestamptz not null,
  value bigint,
  then_by bigint,
  verdict text,
  decided_by text,
  decided_at timestamptz,
  verdict_reason text,
  primary key (board, period, id),
  constraint "a late event is accepted or dismissed" check (
    verdict in ('accepted', 'dismissed')),
  constraint "a decided late event says who, when and why" check (
    (verdict is null) = (decided_by is null)
    and (verdict is null) = (decided_at is null)
    and (verdict is null) = (verdict_reason is null))
);
create index late_event_member on late_event (member);
-- For the daily digest, which counts those of a day.
create index late_event_arrival on late_event (arrived_at);

-- Events that are acknowledged once they are committed here. The relay applies them to the live
-- board in the order of n. It has no foreign key: the row of relay holds the period.
create table committed_event (
  period_id bigint not null,
  -- Ascends in the order in which the period's events committed; may have gaps.
  n bigint not null,
  id text not null,
  member text collate "C" not null,
  action text not null,
  subject text,
  undo boolean not null,
  quantity bigint not null,
  -- The points it adds; 0 on boards whose events bring a value.
  worth bigint not null,
  value bigint,
  then_by bigint not null,
  -- Distinguishes a repeated event from another one with the same id.
  digest text not null,
  -- The time it counts by, no matter when it is relayed.
  occurred_at timestamptz not null,
  committed_at timestamptz not null,
  -- What it did on the live board: its outcome, the points that it gave or took, and the member's
  -- points after it. Null until it has been relayed.
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
) with (fillfactor = 80); -- each row is updated once, in place

-- The last number of a period's events that is committed. A commit locks it until it ends, so
-- that numbers ascend in the order of commits.
create table relay (
  period_id bigint primary key references period,
  committed bigint not null
) with (fillfactor = 50);

-- The last number up to which a period's events are relayed; without a row, none is. A separate
-- row, so that commits and the relay do not wait for each other.
create table relay_position (
  -- Not of period, whose row the seal locks while it waits for the relay.
  period_id bigint primary key references relay,
  relayed bigint not null,
  constraint "a relay begins before the first event" check (relayed >= 0)
) with (fillfactor = 50);
