-- Settlement: revisions, holds, exclusions, several currencies, and the proof of each closing.

alter table period
  -- The revision that stands: 1 by the first closing, a higher one by each amendment.
  add column revision int not null default 1,
  drop constraint "a period has a known state",
  add constraint "a period has a known state" check (state in (
    'open', 'sealed', 'snapshotted', 'reconciled', 'ranked', 'awarded', 'held', 'rejected',
    'approved', 'paid', 'settled', 'expired')),
  add constraint "revisions count from one" check (revision >= 1);

alter table run
  drop constraint "a run has a known outcome",
  add constraint "a run has a known outcome" check (
    outcome in ('running', 'settled', 'held', 'failed', 'abandoned'));

-- One outcome of a period: what it was computed from, who looked at it, and whether it was paid.
-- The first is the closing's; each later one amends another and posts only what differs from it.
create table revision (
  period_id bigint not null references period,
  revision int not null,
  -- The revision that it amends; empty for the first.
  base int,
  -- The rules that it awards by; an amendment may bring others than the period opened under.
  definition_hash text not null references definition,
  -- What becomes of what a member was paid too much: as the period's own rules say.
  owed text not null,
  prepared_by text not null,
  prepared_at timestamptz not null,
  -- The person who closed this one period by hand; empty if no person did.
  closed_by text,
  -- Whether two people must stand behind it before it is posted.
  two_person boolean not null default false,
  reason text,
  -- Why it waits for a person; empty if it need not.
  held_for text[] not null default '{}',
  -- When it goes on by itself; empty if it never does.
  release_at timestamptz,
  verdict text,
  decided_by text,
  decided_at timestamptz,
  verdict_reason text,
  -- How a person decided ties that the rules leave to a person, and who.
  ties text,
  ties_by text,
  posted_at timestamptz,
  primary key (period_id, revision),
  constraint "revisions count from the first" check (revision >= 1),
  constraint "all but the first amend an earlier one" check (
    (revision = 1) = (base is null) and base < revision),
  constraint "a revision says what becomes of what is owed" unique (period_id, revision, owed),
  -- So that what was left as a debt is never restored to the write-offs, nor the other way round.
  constraint "what becomes of what is owed is the same in all revisions"
    foreign key (period_id, base, owed) references revision (period_id, revision, owed),
  constraint "an amendment has a reason" check (base is null or reason is not null),
  constraint "what is owed has a known end" check (owed in ('take', 'write-off', 'debt')),
  constraint "a verdict is known" check (verdict in ('approved', 'rejected')),
  constraint "a verdict has a name, a time and a reason" check (
    (verdict is null) = (decided_by is null)
    and (verdict is null) = (decided_at is null)
    and (verdict is null) = (verdict_reason is null)),
  constraint "only what is approved is posted" check (
    posted_at is null or verdict = 'approved'),
  constraint "ties are decided in a known way" check (ties in ('each', 'share', 'order'))
);
create unique index "a period has one amendment at a time" on revision (period_id)
  where base is not null and posted_at is null and verdict is distinct from 'rejected';

-- What was settled before there were revisions; nothing proves it beside its rows.
insert into revision (
  period_id, revision, definition_hash, owed, prepared_by, prepared_at, verdict, decided_by,
  decided_at, verdict_reason, posted_at)
select
  id, 1, definition_hash, 'take', 'an earlier version', sealed_at, 'approved',
  'an earlier version', sealed_at, 'closed before holds were known',
  coalesce(settled_at, sealed_at)
from period
where state in ('paid', 'settled', 'expired');

-- What is not paid yet goes through what holds it like any other.
insert into revision (period_id, revision, definition_hash, owed, prepared_by, prepared_at)
select id, 1, definition_hash, 'take', 'an earlier version', sealed_at
from period
where state in ('ranked', 'awarded');

-- Who may not win, from when until when: in force for each period that it overlaps.
create table exclusion (
  id bigint generated always as identity primary key,
  member text collate "C" not null,
  -- Empty for every board.
  board text,
  level text not null,
  -- Empty for ever.
  starts_at timestamptz,
  ends_at timestamptz,
  reason text not null,
  made_by text not null,
  made_at timestamptz not null,
  lifted_by text,
  lifted_at timestamptz,
  lift_reason text,
  constraint "an exclusion has a known level" check (level in ('hidden', 'unranked', 'no-prize')),
  constraint "an exclusion ends after it starts" check (starts_at < ends_at),
  constraint "an exclusion has a reason" check (reason <> ''),
  constraint "whoever lifts an exclusion says when and why" check (
    (lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lift_reason is null))
);
create index exclusion_member on exclusion (member) where lifted_at is null;

-- The exclusions that a revision was ranked under: the strongest of each member, for ever.
create table frozen_exclusion (
  period_id bigint not null,
  revision int not null,
  member text collate "C" not null,
  level text not null,
  exclusion_id bigint not null references exclusion,
  primary key (period_id, revision, member),
  foreign key (period_id, revision) references revision,
  constraint "a frozen exclusion has a known level" check (
    level in ('hidden', 'unranked', 'no-prize'))
);

-- Why a member's line in an amendment is another than the snapshot's: an event that came late and
-- is accepted, or points put right by hand. An amendment has those of its base too.
create table correction (
  period_id bigint not null,
  revision int not null,
  n int not null,
  member text collate "C" not null,
  kind text not null,
  -- The late event's id; empty for points put right by hand.
  event_id text,
  points bigint not null,
  then_by bigint not null default 0,
  -- When the member came to hold what it changes.
  at timestamptz,
  reason text not null,
  made_by text not null,
  made_at timestamptz not null,
  primary key (period_id, revision, n),
  foreign key (period_id, revision) references revision,
  constraint "an event is accepted once in a revision" unique (period_id, revision, event_id),
  constraint "a correction has a known kind" check (kind in ('late-event', 'points')),
  constraint "a late event says which" check ((kind = 'late-event') = (event_id is not null))
);

-- Who approved a revision as it is; what changes it forgets them. A person's name is one name however
-- it is capitalized.
create table approval (
  period_id bigint not null,
  revision int not null,
  by text not null,
  at timestamptz not null,
  reason text not null,
  foreign key (period_id, revision) references revision,
  constraint "an approval has a name and a reason" check (btrim(by) <> '' and reason <> '')
);
create unique index "a person approves a revision once" on approval (
  period_id, revision, lower(btrim(by)));

-- The lines that corrections make, in place of the snapshot's.
create table amended_line (
  period_id bigint not null,
  revision int not null,
  member text collate "C" not null,
  points bigint not null,
  then_by bigint not null,
  arrival bigint not null,
  reached_at timestamptz,
  primary key (period_id, revision, member),
  foreign key (period_id, revision) references revision,
  constraint "points in an amended line are not negative" check (points >= 0)
);

-- What a revision is ranked from.
create view basis as
select
  revision.period_id, revision.revision, snapshot.member, snapshot.points, snapshot.then_by,
  snapshot.arrival, snapshot.reached_at
from revision
join snapshot on snapshot.period_id = revision.period_id
where not exists (
  select from amended_line amended
  where amended.period_id = revision.period_id
    and amended.revision = revision.revision
    and amended.member = snapshot.member)
union all
select period_id, revision, member, points, then_by, arrival, reached_at
from amended_line;

-- Unranked members stand behind all ranked ones, in the same order.
alter table standing alter column rank drop not null;

alter table award
  add column currency text not null default 'credits',
  add constraint "a currency has a name" check (currency ~ '^[a-z0-9][a-z0-9-]{0,39}$');

alter table late_event
  add column verdict text,
  add column decided_by text,
  add column decided_at timestamptz,
  add column verdict_reason text,
  add constraint "a late event is accepted or dismissed" check (
    verdict in ('accepted', 'dismissed')),
  add constraint "whoever decides on a late event says when and why" check (
    (verdict is null) = (decided_by is null)
    and (verdict is null) = (decided_at is null)
    and (verdict is null) = (verdict_reason is null));

-- Every act of a person that changes what is paid or shown.
create table act (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  by text not null,
  verb text not null,
  board text,
  period text,
  revision int,
  member text collate "C",
  reason text not null,
  constraint "an act has a name and a reason" check (by <> '' and reason <> '')
);
create index act_period on act (board, period);

-- The acts in the order in which they committed.
create table act_link (
  n bigint generated always as identity primary key,
  act_id bigint not null,
  -- SHA-256 of the act and of the hash of the link before it: a change breaks the chain.
  hash text not null,
  constraint "an act is linked once" unique (act_id)
);

create function hash_of(act, former text) returns text language sql stable as $$
  select encode(sha256(convert_to(concat_ws('|',
    former,
    (extract(epoch from $1.at) * 1000000)::bigint,
    quote_nullable($1.by),
    quote_nullable($1.verb),
    quote_nullable($1.board),
    quote_nullable($1.period),
    quote_nullable($1.revision),
    quote_nullable($1.member),
    quote_nullable($1.reason)), 'UTF8')), 'hex')
$$;

-- Runs when the transaction commits, after all of its work: whoever holds the lock is about to let go
-- of it, however long the work took.
create function link_act() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('chain of acts', 0));
  insert into act_link (act_id, hash)
  select new.id, hash_of(new, coalesce((select hash from act_link order by n desc limit 1), ''));
  return null;
end $$;
create constraint trigger "an act is linked to the one before it" after insert on act
  deferrable initially deferred for each row execute function link_act();

-- What each posted revision rests on, as one text, and the text's SHA-256.
create table manifest (
  period_id bigint not null,
  revision int not null,
  body text not null,
  hash text not null,
  written_at timestamptz not null,
  primary key (period_id, revision),
  foreign key (period_id, revision) references revision,
  constraint "a manifest's hash is its text's" check (
    hash = encode(sha256(convert_to(body, 'UTF8')), 'hex'))
);

-- The manifests of all boards in the order in which they committed. A link repeats whose manifest it
-- is, so that one that was erased can be named.
create table manifest_link (
  n bigint generated always as identity primary key,
  board text not null,
  period text not null,
  period_id bigint not null,
  revision int not null,
  manifest_hash text not null,
  -- SHA-256 of the link and of the hash of the link before it: a change breaks the chain.
  hash text not null,
  constraint "a manifest is linked once" unique (period_id, revision)
);

create function hash_of(link manifest_link, former text) returns text language sql stable as $$
  select encode(sha256(convert_to(concat_ws('|',
    former,
    quote_nullable($1.board),
    quote_nullable($1.period),
    $1.period_id,
    $1.revision,
    $1.manifest_hash), 'UTF8')), 'hex')
$$;

-- Runs when the transaction commits, after all of its work: it holds the lock for that moment, so that
-- no board's posting waits for the work of another.
create function link_manifest() returns trigger language plpgsql as $$
declare
  link manifest_link;
begin
  perform pg_advisory_xact_lock(hashtextextended('chain of manifests', 0));
  select null, board, name, new.period_id, new.revision, new.hash, null into link
    from period where id = new.period_id;
  insert into manifest_link (board, period, period_id, revision, manifest_hash, hash)
  select link.board, link.period, link.period_id, link.revision, link.manifest_hash,
    hash_of(link, coalesce((select hash from manifest_link order by n desc limit 1), ''));
  return null;
end $$;
create constraint trigger "a manifest is linked to the one before it" after insert on manifest
  deferrable initially deferred for each row execute function link_manifest();

-- The ledger, with several currencies and with what goes back.

alter table account
  drop constraint "an account is a house's or a member's",
  add constraint "an account is a house's or a member's" check (
    -- A member's debt is an account of its own, below zero by what it owes.
    kind in ('house', 'member', 'debt'));

alter table transfer
  add column purpose text not null default 'award',
  add constraint "a transfer has a known purpose" check (
    purpose in ('award', 'return', 'debt', 'write-off', 'restored')),
  drop constraint "a rule pays a member once in a revision";
-- What had been written off or owed and is granted again after all comes beside what is paid; and a
-- rule whose currency changes gives back in the old one and pays in the new. What was waived in one
-- currency is never restored in another.
create unique index "a rule pays a member once in a revision" on transfer (
  period_id, revision, member, rule, purpose);
create index transfer_waived on transfer (period_id, member, rule)
  where purpose in ('debt', 'write-off', 'restored');

drop view payable;

-- What is to be posted, in the ledger's own words: the awards of a first revision, and what changes
-- by an amendment. What a member owes goes as the rules say; what it gets again first restores what
-- was owed or written off before.
create view payable as
select
  award.period_id,
  award.revision,
  award.member,
  award.rule,
  'award' as purpose,
  'house' as from_kind,
  'rewards:' || period.board as from_name,
  'member' as to_kind,
  award.member as to_name,
  award.currency,
  award.credits as amount
from award
join revision using (period_id, revision)
join period on period.id = award.period_id
where revision.base is null
union all
select
  change.period_id,
  change.revision,
  change.member,
  change.rule,
  part.purpose,
  part.from_kind,
  part.from_name,
  part.to_kind,
  part.to_name,
  change.currency,
  part.amount
from (
  select
    revision.period_id,
    revision.revision,
    revision.owed,
    period.board,
    member,
    rule,
    currency,
    amended.amount,
    waived.amount as waived
  from revision
  join period on period.id = revision.period_id
  cross join lateral (
    select
      member, rule, currency, coalesce(present.credits, 0) - coalesce(past.credits, 0) as amount
    from (
      select member, rule, currency, credits from award
      where award.period_id = revision.period_id and award.revision = revision.revision
    ) present
    full join (
      select member, rule, currency, credits from award
      where award.period_id = revision.period_id and award.revision = revision.base
    ) past using (member, rule, currency)
  ) amended
  cross join lateral (
    select
      coalesce(sum(case purpose when 'restored' then -transfer.amount else transfer.amount end), 0)
        as amount
    from transfer
    join account on account.id = transfer.from_account
    where transfer.period_id = revision.period_id
      and transfer.member = amended.member
      and transfer.rule = amended.rule
      and account.currency = amended.currency
      and transfer.revision < revision.revision
      and transfer.purpose in ('debt', 'write-off', 'restored')
  ) waived
  where revision.base is not null and amended.amount <> 0
) change
cross join lateral (
  select
    case owed when 'take' then 'return' else owed end as purpose,
    case owed when 'take' then 'member' when 'debt' then 'debt' else 'house' end as from_kind,
    case owed when 'write-off' then 'write-offs:' || board else member end as from_name,
    'house' as to_kind,
    'rewards:' || board as to_name,
    -amount as amount
  where amount < 0
  union all
  select
    'restored',
    'house',
    'rewards:' || board,
    case owed when 'debt' then 'debt' else 'house' end,
    case owed when 'debt' then member else 'write-offs:' || board end,
    least(amount, waived)
  where amount > 0 and waived > 0
  union all
  select
    'award', 'house', 'rewards:' || board, 'member', member, amount - greatest(waived, 0)
  where amount > greatest(waived, 0)
) part;

create function refuse_edit() returns trigger language plpgsql as $$
begin
  raise exception '% of % refused: what is written there stands for ever', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

create trigger "an act is never edited" before update or delete or truncate on act
  for each statement execute function refuse_edit();
create trigger "an act's link is never edited" before update or delete or truncate on act_link
  for each statement execute function refuse_edit();
create trigger "a manifest's link is never edited"
  before update or delete or truncate on manifest_link
  for each statement execute function refuse_edit();
create trigger "a manifest is never edited" before update or delete or truncate on manifest
  for each statement execute function refuse_edit();
create trigger "an acknowledged loss is never edited"
  before update or delete or truncate on acknowledged_loss
  for each statement execute function refuse_edit();
create trigger "an acknowledged loss line is never edited"
  before update or delete or truncate on acknowledged_loss_line
  for each statement execute function refuse_edit();

-- An account's balance is the only thing of it that changes.
create function refuse_account_edit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
      and (new.id, new.kind, new.name, new.currency) = (old.id, old.kind, old.name, old.currency)
  then
    return new;
  end if;
  raise exception 'the ledger is never edited: % of account % refused', tg_op, old.id
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger "an account is never edited" before update or delete on account
  for each row execute function refuse_account_edit();
create trigger "accounts are never emptied" before truncate on account
  for each statement execute function refuse_change();

-- Also where a session asks for no triggers, as a replica does.
alter table transfer enable always trigger "a transfer is never edited";
alter table transfer enable always trigger "a transfer is posted by the period's owner";
alter table entry enable always trigger "entries of a transfer balance";
alter table entry enable always trigger "an entry is never edited";
alter table account enable always trigger "an account is never edited";
alter table account enable always trigger "accounts are never emptied";
alter table act enable always trigger "an act is never edited";
alter table act_link enable always trigger "an act's link is never edited";
alter table manifest enable always trigger "a manifest is never edited";
alter table manifest enable always trigger "a manifest is linked to the one before it";
alter table manifest_link enable always trigger "a manifest's link is never edited";
alter table acknowledged_loss enable always trigger "an acknowledged loss is never edited";
alter table acknowledged_loss_line
  enable always trigger "an acknowledged loss line is never edited";

-- What people read.

drop view palmares;

-- Final lines of every revision, those that wait or were rejected too.
create view palmares_revision as
select
  period.board,
  period.name as period,
  period.starts_at,
  standing.revision,
  standing.revision = period.revision and period.state in ('settled', 'expired') as stands,
  standing.place,
  standing.rank,
  standing.member,
  standing.points,
  standing.reached_at,
  coalesce(awarded.credits, 0) as credits,
  standing.then_by,
  awarded.others as other_prizes,
  (
    select json_object_agg(award.rule, award.credits)
    from award
    where award.period_id = standing.period_id
      and award.revision = standing.revision
      and award.member = standing.member
  ) as awards
from standing
join period on period.id = standing.period_id
cross join lateral (
  select
    sum(credits) filter (where currency = 'credits') as credits,
    string_agg(credits || ' ' || currency, ', ' order by currency)
      filter (where currency <> 'credits') as others
  from (
    select currency, sum(credits) as credits
    from award
    where award.period_id = standing.period_id
      and award.revision = standing.revision
      and award.member = standing.member
    group by currency
  ) by_currency
) awarded;

-- Final lines of settled periods, in the revision that stands. Credits are looked up line by line,
-- so that a few lines of a big board cost a few look-ups.
create view palmares as
select * from palmares_revision where stands;

drop view period_overview;
create view period_overview as
select
  board,
  name as period,
  state,
  starts_at,
  ends_at,
  closes_at,
  coalesce(rebuilt_members, sealed_members) as members,
  coalesce(rebuilt_points, sealed_points) as points,
  settled_at,
  expired_at,
  failures,
  failure,
  retry_at,
  revision,
  expiry_failure,
  expiry_retry_at
from period;

create view revision_overview as
select
  period.board,
  period.name as period,
  revision.revision,
  revision.base,
  case
    when posted_at is not null and revision.revision = period.revision then 'stands'
    when posted_at is not null then 'superseded'
    when verdict is not null then verdict
    when cardinality(held_for) > 0 or base is not null then 'waits'
    else 'computed'
  end as status,
  revision.reason,
  revision.prepared_by,
  revision.prepared_at,
  revision.held_for,
  revision.release_at,
  revision.decided_by,
  revision.decided_at,
  revision.verdict_reason,
  revision.posted_at
from revision
join period on period.id = revision.period_id;

drop view account_statement;
-- The other side of each line comes with it.
create view account_statement as
select
  account.kind,
  account.name as account,
  account.currency,
  transfer.posted_at,
  period.board,
  period.name as period,
  transfer.revision,
  transfer.member,
  transfer.rule,
  transfer.purpose,
  entry.amount,
  transfer.id as transfer_id,
  other.kind as other_kind,
  other.name as other_account
from entry
join account on account.id = entry.account_id
join transfer on transfer.id = entry.transfer_id
join period on period.id = transfer.period_id
join account other on other.id =
  case account.id when transfer.from_account then transfer.to_account else transfer.from_account end;
