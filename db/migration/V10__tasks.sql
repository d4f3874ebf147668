-- What people and programs asked for, what became of it, and the items of those that have some.

-- An operation that somebody called. One with items (a batch) goes on in any scheduler.
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
  -- Of the request and its condition.
  decision_hash text,
  -- Which run of which process works on it, and until when no other does. Nobody works on a task
  -- with items between two runs.
  runner text,
  runner_until timestamptz,
  started_at timestamptz not null,
  -- Resuming a task with items sets it to null.
  ended_at timestamptz,
  -- How often a task with items was resumed: a run that began before it does not end the task.
  resumed int not null default 0,
  state text not null default 'running',
  -- Sentences, as codes with values. A task with items has none: they follow from its items.
  messages jsonb not null default '[]',
  -- Operations that can follow, with their fields.
  next jsonb not null default '[]',
  progress jsonb not null default '[]',
  -- The type of the problem that ended it, and its sentence.
  problem text,
  detail jsonb,
  -- Whether the verb was refused and did nothing. Kept for a while, for repeats that have its number.
  is_refused boolean not null default false,
  -- What the person named, a sentence, once the items are stored; null for a task without items.
  target jsonb,
  -- The exclusions for which periods are amended.
  exclusions bigint[],
  -- The task whose outcomes are approved or rejected, and the digest of what the person was shown.
  of_task bigint references task,
  digest text,
  constraint "a caller uses an idempotency key for one request" unique (made_by, idempotency_key),
  constraint "a task has a known state" check (
    state in ('running', 'done', 'held', 'failed', 'abandoned')),
  constraint "a task that is over says since when" check (
    (state = 'running') = (ended_at is null)),
  constraint "a task has a name and a reason" check (made_by <> '' and reason <> ''),
  constraint "a task has a runner until a time" check ((runner is null) = (runner_until is null)),
  constraint "only a task with items has no runner" check (runner is not null or target is not null),
  constraint "amendments name exclusions" check (
    (target is not null and verb = 'amend-batch') = (exclusions is not null)),
  constraint "a decision names a task" check (
    (target is not null and verb in ('approve-batch', 'reject-batch')) = (of_task is not null)),
  constraint "a decision has the digest of what was shown" check (
    (of_task is null) = (digest is null))
);

create index task_ended on task (ended_at) where target is null;
create index refused_task on task (ended_at) where is_refused;
create index task_with_items on task (id) where target is not null;
create index unended_task_with_items on task (id) where target is not null and ended_at is null;
create index task_decisions on task (of_task) where of_task is not null;
-- A second call is answered with the first one's task. One that was resumed is another: it does the
-- rest.
create unique index "a person decides on the same once at a time" on task (made_by, decision_hash)
  where state = 'running' and resumed = 0 and verb in ('approve', 'approve-batch', 'reject-batch');

-- A period of a task. Its state commits with what was done to the period. The items are worked on one
-- after another, in the order of board and start, each in transactions of its period.
create table task_item (
  task_id bigint not null references task,
  -- The order in which the periods are worked on.
  n int not null,
  period_id bigint not null references period,
  state text not null default 'pending',
  -- The revision that was prepared or held, or on which a person decides.
  revision int,
  -- The digest of that revision when it was shown to the person who decides on it.
  digest text,
  -- Why it is in its state: a sentence.
  message jsonb,
  -- When it was worked on.
  at timestamptz,
  primary key (task_id, n),
  constraint "a period is in a task once" unique (task_id, period_id),
  constraint "an item has a known state" check (
    state in ('pending', 'done', 'unchanged', 'held', 'refused', 'failed')),
  constraint "an item that was worked on says when" check (state = 'pending' or at is not null),
  constraint "what is refused or failed says why" check (
    state not in ('refused', 'failed') or message is not null)
) with (fillfactor = 80);
create index pending_item on task_item (task_id, n) where state = 'pending';
create index failed_item on task_item (task_id) where state = 'failed';
-- The inbox shows what a task has prepared as one thing.
create index item_of_period on task_item (period_id);

-- What a prepared amendment moves, by currency.
create table task_sum (
  task_id bigint not null,
  n int not null,
  currency text not null,
  gets numeric not null,
  owes numeric not null,
  primary key (task_id, n, currency),
  foreign key (task_id, n) references task_item
);
