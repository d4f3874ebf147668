-- After a closing: facts for other systems, and the nightly verification.

-- A revision of a period has been posted; written in the same transaction. The rest of its delivery
-- is its transfers, which are not copied.
create table fact (
  id bigint generated always as identity primary key,
  period_id bigint not null references period,
  revision int not null,
  type text not null,
  at timestamptz not null,
  -- Its number in the one order of all facts. It is assigned after the commit, so that no fact that
  -- commits later precedes one that was delivered. Null until then, as the next column.
  n bigint,
  -- How many transfers the revision has.
  transfers bigint,
  constraint "a revision has one fact" unique (period_id, revision),
  constraint "a fact number is used once" unique (n),
  constraint "a fact has a known type" check (type in ('period.settled', 'period.amended')),
  constraint "a fact with a number knows its transfers" check (
    (n is null) = (transfers is null) and transfers >= 0)
);
create index fact_unnumbered on fact (id) where n is null;

-- One process at a time assigns numbers; they may have gaps.
create sequence fact_number;

-- A delivery target, and how far it has been served.
create table outbox_target (
  name text primary key,
  -- Its address by the latest configuration.
  address text not null,
  since timestamptz not null,
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
  failure text,
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

-- One night's verification of what was settled or amended lately, and of the ledger's balances.
create table verification_run (
  night date primary key,
  -- It verified what was settled or amended from here on.
  since timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  by text not null,
  periods bigint not null,
  differences bigint not null,
  summary text not null,
  -- The first difference; null if there is none.
  first text,
  constraint "a verification that found something says what" check (
    (differences = 0) = (first is null))
);
