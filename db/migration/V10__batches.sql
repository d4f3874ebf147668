-- Batches: one verb over many periods.

-- One operation on many periods. Its items are worked on one after another, in the order of board and
-- start, each in transactions of its period.
create table period_batch (
  id bigint generated always as identity primary key,
  verb text not null,
  -- What the person named: a sentence, by its code and values.
  target jsonb not null,
  -- The exclusions for which periods are amended.
  exclusions bigint[],
  -- The batch whose outcomes are approved or rejected, and the digest of what the person was shown.
  of_batch bigint references period_batch,
  digest text,
  reason text not null,
  made_by text not null,
  made_at timestamptz not null,
  -- Which run of which process works on it, and until when no other does.
  runner text,
  runner_until timestamptz,
  -- When every item was tried. Resuming the batch sets it to null.
  ended_at timestamptz,
  constraint "a batch has a known verb" check (
    verb in ('amend', 'approve', 'reject', 'close', 'restart')),
  constraint "amendments name exclusions" check ((verb = 'amend') = (exclusions is not null)),
  constraint "a decision names a batch" check (
    (verb in ('approve', 'reject')) = (of_batch is not null)),
  constraint "a decision has the digest of what was shown" check (
    (verb in ('approve', 'reject')) = (digest is not null)),
  constraint "a batch has a name and a reason" check (made_by <> '' and reason <> ''),
  constraint "a batch has a runner until a time" check ((runner is null) = (runner_until is null))
);
create index unended_batch on period_batch (id) where ended_at is null;
create index batch_decisions on period_batch (of_batch) where of_batch is not null;

-- A period of a batch. Its state commits with what was done to the period.
create table period_batch_item (
  batch_id bigint not null references period_batch,
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
  primary key (batch_id, n),
  constraint "a period is in a batch once" unique (batch_id, period_id),
  constraint "an item has a known state" check (
    state in ('pending', 'done', 'unchanged', 'held', 'refused', 'failed')),
  constraint "an item that was worked on says when" check (state = 'pending' or at is not null),
  constraint "what is refused or failed says why" check (
    state not in ('refused', 'failed') or message is not null)
) with (fillfactor = 80);
create index pending_item on period_batch_item (batch_id, n) where state = 'pending';
create index failed_item on period_batch_item (batch_id) where state = 'failed';
-- The inbox shows what a batch has prepared as one thing.
create index item_of_period on period_batch_item (period_id);

-- What a prepared amendment moves, by currency.
create table period_batch_sum (
  batch_id bigint not null,
  n int not null,
  currency text not null,
  gets numeric not null,
  owes numeric not null,
  primary key (batch_id, n, currency),
  foreign key (batch_id, n) references period_batch_item
);
