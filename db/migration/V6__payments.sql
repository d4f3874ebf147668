-- Awards, the double-entry ledger that they are paid in, approvals, the audit log, and the
-- manifests.

-- What the reward rules give a member for a closed period.
create table award (
  period_id bigint not null,
  revision int not null,
  member text collate "C" not null,
  rule text not null,
  credits bigint not null,
  currency text not null default 'credits',
  primary key (period_id, revision, member, rule),
  constraint "an award is worth something" check (credits > 0)
);

-- A double-entry ledger: transfers of positive amounts from one account to another, and their
-- entries. A balance is the sum of an account's entries. Rows are inserted, never updated or
-- deleted.
create table account (
  id bigint generated always as identity primary key,
  kind text not null,
  name text collate "C" not null,
  currency text not null,
  constraint "an owner has one account a currency" unique (kind, name, currency),
  constraint "an account is a house's or a member's" check (
    -- A member's debt is an account of its own, whose balance is minus the amount owed.
    kind in ('house', 'member', 'debt'))
);

-- Triggers check that the period and the accounts exist. They stay, since no account is ever
-- deleted, and no period that has a revision.
create table transfer (
  id bigint generated always as identity primary key,
  period_id bigint not null,
  revision int not null,
  member text collate "C" not null,
  rule text not null,
  from_account bigint not null,
  to_account bigint not null,
  amount bigint not null,
  posted_at timestamptz not null,
  fence bigint not null,
  purpose text not null default 'award',
  constraint "a transfer moves a positive amount" check (amount > 0),
  constraint "a transfer joins two accounts" check (from_account <> to_account),
  constraint "a transfer has a known purpose" check (
    purpose in ('award', 'return', 'debt', 'write-off', 'restored'))
);
-- By purpose, because an amendment may post two transfers for one rule: one restores what had been
-- written off or owed, the other pays the rest. If a rule's currency changes, one takes the old
-- back.
create unique index "a rule pays a member once in a revision" on transfer (
  period_id, revision, member, rule, purpose);
create index transfer_waived on transfer (period_id, member, rule)
  where purpose in ('debt', 'write-off', 'restored');

-- A trigger compares the entries with their transfer.
create table entry (
  transfer_id bigint not null,
  account_id bigint not null,
  amount bigint not null,
  primary key (transfer_id, account_id),
  constraint "an entry moves something" check (amount <> 0)
);
create index entry_account on entry (account_id);

-- Who approved a revision as it is. A change of the revision removes them. Names are compared
-- without regard to case.
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

-- The audit log: every act of a person that changes what is paid or shown.
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

-- The manifests of all boards in the order in which they committed. A link repeats the board and
-- the period, so that a deleted manifest can be named.
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
