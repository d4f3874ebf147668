-- Periods of boards, the rules that they close under, the attempts to close them, the rebuilds of
-- their live boards, and the audit log.

-- The text of a board file at the time a period opened. The period closes under these rules. Boards
-- whose files have the same text share a row.
create table definition (
  hash text primary key,
  source text not null,
  -- The lists of excluded members that the board refers to, for statements; read from the source.
  lists text[] not null default '{}',
  first_used_at timestamptz not null,
  constraint "a definition's hash is SHA-256 in hexadecimal"
    check (hash ~ '^[0-9a-f]{64}$')
);

-- Lets an exclusion constraint compare boards without an extension: [board, board] overlaps itself.
create type board_range as range (subtype = text, collation = "C");

-- One run of 'palmares import'. Until it has ended, the sweep skips the periods that it opened.
create table import_run (
  id bigint generated always as identity primary key,
  sources text not null,
  by text not null,
  started_at timestamptz not null,
  heartbeat_at timestamptz not null,
  ended_at timestamptz,
  -- When it stopped before its end, if it could record that.
  stopped_at timestamptz
);

create table period (
  id bigint generated always as identity primary key,
  board text not null,
  name text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- End plus grace: the period is due from here on. Null for a board that never closes.
  closes_at timestamptz,
  definition_hash text not null references definition,
  state text not null default 'open',
  -- The revision in force: 1 after the closing, a higher one after each amendment.
  revision int not null default 1,
  opened_at timestamptz not null,
  opened_by_import bigint references import_run,
  -- When a process first set out to create the live board; committed before Redis is asked.
  live_intended_at timestamptz,
  -- When Redis was known to have created the live board; it takes no event before that. If this is
  -- null, the board never existed. If it is set and the board is missing, the board was lost.
  live_at timestamptz,
  -- When the keys of an adopted board were first seen. If they are missing later, they were lost.
  seen_at timestamptz,
  -- The population, fixed at the seal.
  sealed_at timestamptz,
  sealed_members bigint,
  sealed_points numeric,
  sealed_events bigint,
  -- The population that the period closes with, if a rebuild produced another than was sealed. The
  -- sealed figures are evidence and stay as they are.
  rebuilt_members bigint,
  rebuilt_points numeric,
  rebuilt_events bigint,
  settled_at timestamptz,
  -- When the live keys may leave Redis, and when they did.
  expires_at timestamptz not null,
  expired_at timestamptz,
  -- When the journal was moved into a file; the audit entry of that time has the file's SHA-256.
  archived_at timestamptz,
  -- The owner, the end of its lease, and the fencing number that its writes carry.
  lease_owner text,
  lease_until timestamptz,
  fence bigint not null default 0,
  -- The last failure of a closing, as a code with values, and when the sweep retries.
  failures int not null default 0,
  failure jsonb,
  -- The rebuild of the live board that may repair what failed; null if none does.
  repair text,
  retry_at timestamptz,
  -- When it was reported to be overdue; set once.
  overdue_at timestamptz,
  -- Why the live keys outlive their retention, and when their expiry is retried.
  expiry_failures int not null default 0,
  expiry_failure text,
  expiry_retry_at timestamptz,
  constraint "a board's periods have different names" unique (board, name),
  constraint "a board's periods have different starts" unique (board, starts_at),
  constraint "a period ends after it starts" check (starts_at < ends_at),
  constraint "a board's periods do not overlap" exclude using gist (
    board_range(board, board, '[]') with &&,
    tstzrange(starts_at, ends_at) with &&) deferrable,
  constraint "a period closes at its end or later" check (closes_at >= ends_at),
  constraint "a period has a known state" check (state in (
    'open', 'sealed', 'filled', 'held', 'rejected', 'approved', 'settled', 'expired')),
  constraint "revisions count from one" check (revision >= 1),
  constraint "a live board is made by intent" check (
    live_at is null or live_intended_at is not null),
  constraint "a sealed period states its population" check (
    (state = 'open') = (sealed_at is null)
    and (sealed_at is null) = (sealed_members is null)
    and (sealed_at is null) = (sealed_points is null)
    and (sealed_at is null) = (sealed_events is null)),
  constraint "a rebuilt population is stated whole" check (
    (rebuilt_members is null) = (rebuilt_points is null)
    and (rebuilt_members is null) = (rebuilt_events is null)),
  constraint "only a sealed period has a rebuilt population" check (
    rebuilt_members is null or sealed_at is not null),
  constraint "a settled period says since when" check (
    (state in ('settled', 'expired')) = (settled_at is not null)),
  constraint "an expired period says since when" check (
    (state = 'expired') = (expired_at is not null)),
  constraint "only an expired period is archived" check (
    archived_at is null or state = 'expired'),
  constraint "a failure has a known repair" check (
    repair in ('rebuild', 'replace', 'accept-loss')),
  constraint "a lease has an owner and an end" check (
    (lease_owner is null) = (lease_until is null))
-- A closing updates its row a dozen times: in place, if there is room and no index is concerned.
) with (fillfactor = 70);
-- For the periods of other boards at the same time.
create index period_start on period (starts_at);
-- In the order in which schedulers take them, so that the next is found without sorting the others.
create index period_due on period (closes_at, id) where settled_at is null;
create index period_settled on period (settled_at) where settled_at is not null;
create index period_expiry on period (expires_at)
  where settled_at is not null and expired_at is null;

-- Boards of which no closing starts until a person resumes them. Their events are still taken.
create table board_pause (
  board text primary key,
  reason text not null,
  paused_by text not null,
  paused_at timestamptz not null,
  constraint "a pause has a name and a reason" check (paused_by <> '' and reason <> '')
);

-- One attempt to close a period: the server, the last step it reached, and how it ended.
create table run (
  id bigint generated always as identity primary key,
  period_id bigint not null references period,
  fence bigint not null,
  node text not null,
  cause text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  step text,
  outcome text not null default 'running',
  failure jsonb,
  stack text,
  constraint "a lease is used for one run" unique (period_id, fence),
  constraint "a run has a known outcome" check (
    outcome in ('running', 'settled', 'held', 'failed', 'abandoned')),
  constraint "a run that is over says since when" check (
    (outcome = 'running') = (ended_at is null)),
  constraint "a run that failed says why" check (outcome <> 'failed' or failure is not null)
);
-- By period, not by id: while an old snapshot is open, entries of runs that ended stay in it, and
-- each closing would read those of all periods.
create index running_run on run (period_id) where outcome = 'running';
-- For what was closed, and what failed, since a time.
create index settled_run on run (ended_at) where outcome = 'settled';
create index failed_run on run (started_at) where outcome = 'failed';

-- Persons who keep a period from being paid without approval. A row stays when it is approved.
create table person_hold (
  period_id bigint primary key references period,
  made_by text not null,
  made_at timestamptz not null,
  reason text not null,
  constraint "a person's hold has a name and a reason" check (made_by <> '' and reason <> '')
);

-- What the steps of a run have done, and their slices, which run in parallel. Each is stored in the
-- step's transactions, and each second while the run goes on.
create table step_progress (
  run_id bigint not null references run on delete cascade,
  -- The order in which they began.
  n int not null,
  step text not null,
  -- Empty for the whole step.
  slice text not null,
  -- What is counted, in the plural; empty if nothing is.
  unit text not null,
  started_at timestamptz not null,
  -- Null while it runs, and if the run ended before it did.
  ended_at timestamptz,
  done bigint not null,
  -- Null if it is not known.
  total bigint,
  -- When done was counted.
  counted_at timestamptz not null,
  primary key (run_id, n)
) with (fillfactor = 70);

-- Live boards that were rebuilt: under which lease, by which process, and from how many events.
create table rebuild (
  period_id bigint not null references period,
  fence bigint not null,
  owner text not null,
  started_at timestamptz not null,
  -- Null if the rebuild did not finish.
  ended_at timestamptz,
  -- How many events came from the journal, and how many more only from Redis.
  events bigint,
  strays bigint,
  constraint "a lease is used for one rebuild" primary key (period_id, fence),
  constraint "a rebuild that is over says what it was made from" check (
    (ended_at is null) = (events is null) and (ended_at is null) = (strays is null))
);

-- A person's acceptance of a rebuild that gives up events which are in neither store, or has less
-- than was sealed of the board.
create table acknowledged_loss (
  period_id bigint not null,
  -- The fencing number of the rebuild.
  fence bigint not null,
  -- What is left; a sealed period closes with it.
  members bigint not null,
  points numeric not null,
  events bigint not null,
  -- The numbers of the events that are given up, if they are known; how many these are; and how many
  -- members have other points without them, as far as the former board said. The number is null if
  -- only the loss of sealed figures is accepted.
  missing int8multirange,
  missing_events bigint,
  changed_members bigint,
  -- The state of the period that PostgreSQL has forgotten, as the live board was marked.
  forgotten text,
  -- The events and members that are given up, as a sentence with its code and values.
  given_up jsonb,
  reason text not null,
  made_by text not null,
  made_at timestamptz not null,
  primary key (period_id, fence),
  foreign key (period_id, fence) references rebuild,
  constraint "an acknowledged loss has a name and a reason" check (made_by <> '' and reason <> ''),
  constraint "what a period forgets is its seal or its settlement" check (
    forgotten in ('sealed', 'settled')),
  constraint "events that are given up are counted" check (
    (missing_events is null) = (changed_members is null)
    and (missing is null or missing_events > 0))
);

-- The audit log: everything that a person did to change what is paid or shown.
create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  by text not null,
  verb text not null,
  -- The board; or 'list:' and the name of a list of excluded members.
  board text,
  period text,
  revision int,
  member text collate "C",
  -- The words of the person; null if a program acted, or asked for none.
  reason text,
  -- What else was done to what: typed values by name.
  details jsonb not null default '{}',
  constraint "an audit entry has a name" check (by <> ''),
  constraint "a reason is not empty" check (reason <> ''),
  constraint "details have names" check (jsonb_typeof(details) = 'object')
);
create index audit_entry_period on audit_entry (board, period);

-- The periods of which a run of an import has applied events. A row is stored before the first of
-- them counts; when the run is over, one entry of the audit log has its periods of a board.
create table imported_period (
  import_run_id bigint references import_run,
  period_id bigint references period,
  -- A number of the audit log, so that the import is before or after an outcome.
  n bigint not null default nextval('audit_entry_id_seq'),
  -- The time of the entry that has it; null before.
  entered_at timestamptz,
  primary key (import_run_id, period_id)
);
create index imported_period_period on imported_period (period_id);
create index imported_period_unentered on imported_period (import_run_id) where entered_at is null;

-- The audit entries in the order in which they were committed.
create table audit_link (
  n bigint generated always as identity primary key,
  audit_entry_id bigint not null,
  -- SHA-256 of the entry and of the hash of the link before it: a change breaks the chain.
  hash text not null,
  constraint "an audit entry is linked once" unique (audit_entry_id)
);
