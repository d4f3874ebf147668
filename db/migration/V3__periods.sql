-- The rules of boards as they stood when a period opened, which closes under them. Boards whose files
-- have the same text share a row.
create table definition (
  hash text primary key,
  source text not null,
  first_used_at timestamptz not null,
  constraint "a definition's hash is SHA-256 in hexadecimal"
    check (hash ~ '^[0-9a-f]{64}$')
);

-- Lets an exclusion constraint compare boards without an extension: [board, board] overlaps itself.
create type board_range as range (subtype = text, collation = "C");

-- One run of 'palmares import'. The sweep leaves the periods that it opened alone until it ended.
create table import_run (
  id bigint generated always as identity primary key,
  sources text not null,
  started_at timestamptz not null,
  heartbeat_at timestamptz not null,
  ended_at timestamptz
);

create table period (
  id bigint generated always as identity primary key,
  board text not null,
  name text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- End and grace: from here on it is due. Empty for a board that never closes.
  closes_at timestamptz,
  definition_hash text not null references definition,
  state text not null default 'open',
  opened_at timestamptz not null,
  opened_by_import bigint references import_run,
  -- When somebody first set out to make its live board, committed before Redis was asked; and since
  -- when it is known that Redis has made it. It takes no event before that, so that a board without
  -- the second never had one, and a board with it that is missing was lost.
  live_intended_at timestamptz,
  live_at timestamptz,
  -- The population, fixed at the seal.
  sealed_at timestamptz,
  sealed_members bigint,
  sealed_points numeric,
  sealed_events bigint,
  settled_at timestamptz,
  -- When the live keys may leave Redis, and when they did.
  expires_at timestamptz not null,
  expired_at timestamptz,
  -- Who works on it, until when, and the number that its writes carry.
  lease_owner text,
  lease_until timestamptz,
  fence bigint not null default 0,
  -- What went wrong last, and when the sweep tries again.
  failures int not null default 0,
  failure text,
  retry_at timestamptz,
  -- Why its live keys stay beyond their time, and when their expiry is tried again.
  expiry_failures int not null default 0,
  expiry_failure text,
  expiry_retry_at timestamptz,
  constraint "a board's periods have different names" unique (board, name),
  constraint "a board's periods have different starts" unique (board, starts_at),
  constraint "a period ends after it starts" check (starts_at < ends_at),
  constraint "a board's periods do not overlap" exclude using gist (
    board_range(board, board, '[]') with &&,
    tstzrange(starts_at, ends_at) with &&),
  constraint "a period closes at its end or later" check (closes_at >= ends_at),
  constraint "a period has a known state" check (state in (
    'open', 'sealed', 'snapshotted', 'reconciled', 'ranked', 'awarded', 'paid', 'settled',
    'expired')),
  constraint "a live board is made by intent" check (
    live_at is null or live_intended_at is not null),
  constraint "a sealed period states its population" check (
    (state = 'open') = (sealed_at is null)
    and (sealed_at is null) = (sealed_members is null)
    and (sealed_at is null) = (sealed_points is null)
    and (sealed_at is null) = (sealed_events is null)),
  constraint "a settled period says since when" check (
    (state in ('settled', 'expired')) = (settled_at is not null)),
  constraint "an expired period says since when" check (
    (state = 'expired') = (expired_at is not null)),
  constraint "a lease has an owner and an end" check (
    (lease_owner is null) = (lease_until is null))
);
create index period_due on period (closes_at) where state not in ('settled', 'expired');
create index period_expiry on period (expires_at) where state = 'settled';

-- One attempt to close a period: by whom, how far it came, how it ended.
create table run (
  id bigint generated always as identity primary key,
  period_id bigint not null references period,
  fence bigint not null,
  owner text not null,
  cause text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  step text,
  outcome text not null default 'running',
  failure text,
  stack text,
  constraint "a lease is used for one run" unique (period_id, fence),
  constraint "a run has a known outcome" check (
    outcome in ('running', 'settled', 'failed', 'abandoned')),
  constraint "a run that is over says since when" check (
    (outcome = 'running') = (ended_at is null)),
  constraint "a run that failed says why" check (outcome <> 'failed' or failure is not null)
);
