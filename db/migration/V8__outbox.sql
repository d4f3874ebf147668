-- After a closing: facts for other systems, and the nightly verification.

-- A fact for other systems; written in the transaction that makes it true. Most of what is delivered
-- about a posted revision is its transfers, which are not copied.
create table fact (
  id bigint generated always as identity primary key,
  type text not null,
  -- What it is about. Type and subject together are the id under which it is delivered.
  subject text not null,
  at timestamptz not null,
  -- No foreign key: a coming period may be removed again.
  board text,
  period text,
  -- The posted revision that it is about, whose rows never change, so that its data is read there.
  revision int,
  data json,
  -- The span that stored it, as the W3C defines it; null if it was not traced.
  traceparent text,
  -- Its number in the one order of all facts. It is assigned after the commit, so that no fact that
  -- commits later precedes one that was delivered. Null until then, as the next column.
  n bigint,
  -- How many transfers the revision has.
  transfers bigint,
  constraint "a fact is stored once" unique (type, subject),
  constraint "a fact number is used once" unique (n),
  constraint "a fact has a known type" check (type in (
    'period.opened', 'period.extended', 'period.sealed', 'period.held', 'period.failed',
    'period.overdue', 'period.settled', 'period.amended', 'rank.entered', 'rank.left',
    'rank.passed', 'verification.failed', 'digest')),
  constraint "a fact about a period names its board" check ((board is null) = (period is null)),
  constraint "a fact has data or a revision that has it" check (
    (revision is null) = (data is not null)),
  constraint "a fact with a number knows its transfers" check (
    (n is null) = (transfers is null) and transfers >= 0)
);
create index fact_unnumbered on fact (id) where n is null;

-- One process at a time assigns numbers; they may have gaps.
create sequence fact_number;

-- What the last comparison of a watched board has seen. The server that has the row locked compares
-- the board; the facts of a comparison are stored with it.
create table watched_period (
  period_id bigint primary key references period on delete cascade,
  -- The number of the last comparison that stored facts, part of the ids of these: the seconds since
  -- 1970, or one more than the number before.
  comparison bigint not null default 0,
  -- The watched places, and what other systems know of them; null before the first comparison and
  -- after the last.
  seen jsonb,
  compared_at timestamptz,
  -- Whether the board was compared for the last time, after its seal.
  is_over boolean not null default false,
  constraint "a comparison has no negative number" check (comparison >= 0)
);
create index watched_period_going_on on watched_period (period_id) where not is_over;

-- A delivery target, and how far it has been served.
create table outbox_target (
  name text primary key,
  -- Its address by the latest configuration.
  address text not null,
  -- The types of facts that it gets; award.* means the transfers of posted revisions. It
  -- changes between two batches only, since a batch that is sent again must be the same.
  facts text[] not null,
  -- Whether it is the wallet, which says what became of each award.
  confirms boolean not null default false,
  since timestamptz not null,
  -- When a process that has it configured last said so. Null if none ever did.
  seen_at timestamptz,
  -- When somebody last asked for facts again, which wait only from then on.
  again_at timestamptz,
  -- Everything up to this fact is delivered. Of the next fact, this many parts are delivered: the
  -- fact, then its transfers in the order of member, rule and purpose.
  fact bigint not null,
  parts bigint not null default 0,
  -- The last transfer that is delivered; empty and zero if there is none.
  after_member text collate "C" not null default '',
  after_rule smallint not null default 0,
  after_purpose smallint not null default 0,
  -- The number of parts in the batch that is being sent. It is stored before the batch is sent, so
  -- that a batch whose result is unknown is sent again unchanged.
  batch int,
  delivered bigint not null default 0,
  delivered_at timestamptz,
  -- How often delivery failed, since when, why, and when it is retried.
  failures int not null default 0,
  failing_since timestamptz,
  failure jsonb,
  retry_at timestamptz,
  -- When retries stopped.
  parked_at timestamptz,
  constraint "positions count from zero" check (fact >= 0 and parts >= 0),
  constraint "a position names a whole transfer" check (
    (after_member = '') = (after_rule = 0)
    and (after_member = '') = (after_purpose = 0)
    and (after_member = '' or parts > 1)),
  constraint "a batch has parts" check (batch > 0),
  constraint "a target that fails says since when and why" check (
    (failures = 0) = (failing_since is null) and (failures = 0) = (failure is null)),
  constraint "a target is parked for a reason" check (parked_at is null or failures > 0)
);

-- An attempt to deliver a batch to a target. It is stored with what it changes in the target's row,
-- so an attempt whose process died is not there. Only the latest are kept.
create table delivery_attempt (
  id bigint generated always as identity primary key,
  target text not null references outbox_target on delete cascade,
  started_at timestamptz not null,
  took_ms bigint not null,
  -- The id of the batch, the same for each attempt to deliver it, and how many facts it has.
  batch text not null,
  facts int not null,
  -- The HTTP status that was answered; null if there is none.
  answer int,
  -- Why it failed; null if the batch has arrived.
  failure jsonb,
  -- Whether retries stopped after it.
  parked boolean not null default false,
  constraint "an attempt takes no negative time" check (took_ms >= 0),
  constraint "a target is parked by a failed attempt" check (not parked or failure is not null)
);
create index delivery_attempt_target on delivery_attempt (target, id);

-- One night's verification of what was settled or amended lately, and of the payments of a
-- thirtieth of the posted outcomes, by their number and checksum.
create table verification_run (
  night date primary key,
  -- It verified what was settled or amended from here on.
  since timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  by text not null,
  periods bigint not null,
  differences bigint not null,
  -- The first difference, as a sentence with its code and values; null if there is none.
  first jsonb,
  constraint "a verification that found something says what" check (
    (differences = 0) = (first is null))
);

-- The daily digests. What a digest says is kept as a fact for as long as facts are.
create table digest (
  day date primary key,
  -- It reports what happened after the first of these times, up to the second.
  since timestamptz not null,
  until timestamptz not null,
  -- The number of the last fact that it covers.
  fact bigint not null,
  by text not null,
  constraint "a digest begins where another ended" unique (since),
  constraint "a digest covers some time" check (since < until)
);

-- ---- What became of awards in the wallet

-- A posted revision whose transfers the wallet has. Of one that is being delivered, the position of
-- the target says which of them it has.
create table delivered_outcome (
  outcome int primary key references revision (id),
  target text not null,
  delivered_at timestamptz not null
);
create index delivered_outcome_at on delivered_outcome (delivered_at);

-- What the wallet said became of an award, or of its return, of which an outcome has one for a member
-- and a rule: rows are only inserted. What is refused may be done later; what is credited or returned
-- is so for good.
create table receipt (
  outcome int not null references revision (id),
  rule smallint not null,
  member text collate "C" not null,
  -- Counts the receipts of the award from 1, so that each is based on the one before it.
  n smallint not null,
  amount bigint not null,
  result text not null,
  -- Why it was refused, in the words of the wallet.
  reason text,
  -- Where it was said: in the answer to a delivery, in a call, or in a list of the wallet.
  source text not null,
  by text not null,
  at timestamptz not null,
  constraint "one receipt follows another" primary key (outcome, rule, member, n),
  constraint "receipts count from one" check (n >= 1),
  constraint "a receipt has a known result" check (result in ('credited', 'refused', 'returned')),
  constraint "a refusal says why, and only a refusal" check (
    (result = 'refused') = (reason is not null) and btrim(reason) <> ''),
  constraint "a receipt has a known source" check (source in ('answer', 'call', 'list')),
  constraint "a receipt has a name" check (by <> ''),
  foreign key (outcome, rule) references prize
);
create unique index "an award is credited once" on receipt (outcome, rule, member)
  where result <> 'refused';

-- A comparison of a wallet's list with the awards.
create table wallet_comparison (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  by text not null,
  -- The awards that were delivered in this time had to be in the list.
  since timestamptz,
  until timestamptz not null,
  lines bigint not null,
  awards bigint not null,
  -- How many awards it confirmed.
  confirmed bigint not null,
  -- Until when the server itself has compared without a gap; null if a person asked for it.
  nightly_until timestamptz,
  -- The time whose lists could not be compared, and why; null if all could.
  failed_since timestamptz,
  failed_until timestamptz,
  failure jsonb,
  constraint "a comparison covers some time" check (since < until)
);

-- A difference between the awards and what the wallet says. It is closed by a person with a reason,
-- or once it is gone.
create table wallet_finding (
  id bigint generated always as identity primary key,
  kind text not null,
  -- The award as deliveries name it, or what the wallet named.
  award_id text not null,
  -- Null, as the next columns, if there is no such award.
  outcome int references revision (id),
  rule smallint,
  member text collate "C",
  currency text,
  amount bigint,
  -- What the wallet has credited; null if it did not say so.
  received bigint,
  -- What was said or compared: a sentence.
  message jsonb not null,
  found_at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  closed_reason text,
  -- Whether a person closed it, who accepts it as it is: then it is not found again.
  is_accepted boolean not null default false,
  constraint "a finding has a known kind" check (kind in (
    'missing', 'twice', 'amount', 'currency', 'unawarded', 'refused', 'credited', 'unconfirmed',
    'answer')),
  constraint "a finding names a whole award or none" check (
    (outcome is null) = (rule is null) and (outcome is null) = (member is null)
    and (outcome is null) = (amount is null)),
  constraint "a closed finding says who and why" check (
    (closed_at is null) = (closed_by is null) and (closed_at is null) = (closed_reason is null)),
  constraint "only a closed finding is accepted" check (not is_accepted or closed_at is not null)
);
create unique index "a finding is open once" on wallet_finding (kind, award_id)
  where closed_at is null;
create index wallet_finding_award on wallet_finding (outcome, rule, member);

-- An award that is delivered again, under the same id.
create table resend (
  id bigint generated always as identity primary key,
  outcome int not null references revision (id),
  rule smallint not null,
  member text collate "C" not null,
  asked_at timestamptz not null,
  by text not null,
  sent_at timestamptz
);
create unique index "an award is sent again once at a time" on resend (outcome, rule, member)
  where sent_at is null;
