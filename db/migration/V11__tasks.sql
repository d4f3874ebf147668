-- The verbs that people and programs called through the operations API, and what became of each.
create table task (
  id bigint generated always as identity primary key,
  verb text not null,
  -- Null if the verb concerns no single board or period.
  board text,
  period text,
  made_by text not null,
  reason text not null,
  -- Null if none was given, or once the verb is refused: then the key may be used again.
  idempotency_key text,
  -- Of the verb, its object and the body: a key belongs to one request.
  request_hash text not null,
  -- The process that runs it, and until when that is known to live.
  process text not null,
  alive_until timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  state text not null default 'running',
  -- Sentences, as codes with values.
  messages jsonb not null default '[]',
  -- Operations that can follow, with their fields.
  next jsonb not null default '[]',
  -- The batch that it began or worked on; null for others.
  batch_id bigint references period_batch,
  progress jsonb not null default '[]',
  -- The type of the problem that ended it, and its sentence.
  problem text,
  detail jsonb,
  -- Whether the verb was refused and did nothing. Kept for a while, for repeats that have its number.
  is_refused boolean not null default false,
  constraint "a caller uses an idempotency key for one request" unique (made_by, idempotency_key),
  constraint "a task has a known state" check (
    state in ('running', 'done', 'held', 'failed', 'abandoned')),
  constraint "a task that is over says since when" check (
    (state = 'running') = (ended_at is null)),
  constraint "a task has a name and a reason" check (made_by <> '' and reason <> '')
);

create index task_ended on task (ended_at);
create index refused_task on task (ended_at) where is_refused;
