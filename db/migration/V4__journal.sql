-- Every event that a live board decided, in the order in which it did. Filled by COPY only, from
-- the stream beside the board; no foreign key, since journal_position's row stands for the whole.
create table event (
  period_id bigint not null,
  seq bigint not null,
  id text not null,
  member text collate "C" not null,
  action text not null,
  subject text,
  outcome text not null,
  quantity bigint not null,
  points bigint not null,
  occurred_at timestamptz not null,
  primary key (period_id, seq),
  constraint "an event counts once in a period" unique (period_id, id),
  constraint "an event has a known outcome" check (
    outcome in ('applied', 'undone', 'repeated', 'nothing-to-undo')),
  constraint "an event changes points as its outcome says" check (
    case outcome when 'applied' then points > 0 when 'undone' then points < 0 else points = 0 end)
);

-- How far a period's stream has been drained: written with the events, in one transaction.
create table journal_position (
  period_id bigint primary key references period,
  drained bigint not null,
  -- The sum of event_hash over the events.
  checksum numeric not null default 0,
  constraint "a position counts from zero" check (drained >= 0)
);

-- Entries of live journals that PostgreSQL refused, until a person decides. A released one is an
-- event by now; a discarded one left an event under its number that changes nothing.
create table journal_quarantine (
  period_id bigint not null references period,
  seq bigint not null,
  -- The entry as Redis held it: its words, with the character 31 between them.
  entry bytea not null,
  error text not null,
  quarantined_at timestamptz not null,
  resolution text,
  resolved_by text,
  resolved_at timestamptz,
  reason text,
  primary key (period_id, seq),
  constraint "a quarantined entry is released or discarded" check (
    resolution in ('released', 'discarded')),
  constraint "whoever resolves a quarantined entry says when and why" check (
    (resolution is null) = (resolved_by is null)
    and (resolution is null) = (resolved_at is null)
    and (resolution is null) = (reason is null))
);
create index undecided_quarantine on journal_quarantine (period_id) where resolution is null;

-- Events that came after the seal or the grace: they count nowhere, and staff see them.
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
  primary key (board, period, id)
);
