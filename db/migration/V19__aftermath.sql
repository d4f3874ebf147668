-- What happens after a closing: facts for others to hear, and the nightly verification.

-- That a revision of a period has been posted: written in the transaction that makes it so. Its
-- transfers are delivered with it, and are not written twice.
create table fact (
  id bigint generated always as identity primary key,
  period_id bigint not null references period,
  revision int not null,
  type text not null,
  at timestamptz not null,
  -- Its number in the one order of all facts: given once it is committed, so that none that commits
  -- later comes before one that was delivered already. Empty until then, as the next column.
  n bigint,
  -- How many transfers the revision has.
  transfers bigint,
  constraint "a revision is told of once" unique (period_id, revision),
  constraint "a fact has a number of its own" unique (n),
  constraint "a fact has a known type" check (type in ('period.settled', 'period.amended')),
  constraint "a fact with a number knows its transfers" check (
    (n is null) = (transfers is null) and transfers >= 0)
);
create index fact_unnumbered on fact (id) where n is null;

-- Numbers are given by one process at a time, and may be left out.
create sequence fact_number;

-- Who hears the facts, and how far it has been told.
create table outbox_target (
  name text primary key,
  -- Where it is, as it was configured last.
  address text not null,
  since timestamptz not null,
  -- Everything is delivered up to this fact; of the next one, so many parts: itself, then its
  -- transfers in the order of member, rule and purpose.
  fact bigint not null,
  parts bigint not null default 0,
  -- The last transfer that is delivered; empty and zero for none.
  after_member text collate "C" not null default '',
  after_rule smallint not null default 0,
  after_purpose smallint not null default 0,
  -- The batch that is being sent: how many parts, from there on. It is kept before it is sent, so
  -- that a batch whose fate nobody knows is sent again as the same batch.
  batch int,
  delivered bigint not null default 0,
  delivered_at timestamptz,
  -- Since when it fails, how often, why, and when it is tried again.
  failures int not null default 0,
  failing_since timestamptz,
  failure text,
  retry_at timestamptz,
  -- Since when nobody tries any more.
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

create view outbox_overview as
select
  target.name,
  target.address,
  target.since,
  target.delivered,
  greatest(0, (
    select coalesce(sum(1 + transfers), 0) from fact where n > target.fact) - target.parts)
      + (select count(*) from fact where n is null) as waiting,
  target.delivered_at,
  target.failures,
  target.failing_since,
  target.failure,
  target.retry_at,
  target.parked_at
from outbox_target target;

-- Settled periods that nobody is about to amend: their live keys go when their time has come.
create view expirable as
select id, expires_at, expiry_failures, expiry_retry_at
from period
where state = 'settled'
  and not exists (
    select from revision
    where revision.period_id = period.id
      and base is not null
      and posted_at is null
      and verdict is distinct from 'rejected');

-- One night's verification of what was settled or amended lately, and of the ledger's balances.
create table verification_run (
  night date primary key,
  -- It looked at what was settled or amended from here on.
  since timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  by text not null,
  periods bigint not null,
  differences bigint not null,
  summary text not null,
  -- The first difference; empty if there is none.
  first text,
  constraint "a verification that found something says what" check (
    (differences = 0) = (first is null))
);
