-- Payments, approvals, and the manifests.

-- The reward rules of an outcome by number, so that a payment carries two bytes instead of a name
-- and a currency.
create table prize (
  outcome int not null references revision (id),
  rule smallint not null,
  name text not null,
  currency text not null,
  primary key (outcome, rule),
  constraint "a rule has one number a currency" unique (outcome, name, currency),
  constraint "rules count from one" check (rule >= 1),
  constraint "a currency has a name" check (currency ~ '^[a-z0-9][a-z0-9-]{0,39}$')
);

-- What an outcome gives a member by a rule, or takes back: pending until the outcome is posted, then
-- a transfer, and a transfer is both of its entries. Never read it for money: the views transfer and
-- entry show what is posted. The unique index pays exactly once, and is a member's statement.
create table payment (
  amount bigint not null,
  outcome int not null,
  rule smallint not null,
  -- 1 award, 2 return, 3 debt, 4 write-off, 5 restored.
  purpose smallint not null,
  member text collate "C" not null,
  constraint "a payment moves a positive amount" check (amount > 0),
  constraint "a payment has a known purpose" check (purpose between 1 and 5)
) partition by range (outcome);

create table payment_shared (like payment including constraints);
alter table payment attach partition payment_shared for values from (minvalue) to (0);
create unique index "a rule pays a member once in an outcome" on payment_shared (
  member, outcome, rule, purpose);
create index payment_outcome on payment_shared (outcome);

-- Lines of inviters that the review of a board has flagged. They keep place and rank, but what they
-- are awarded is withheld until a person releases it. Flags are derived once, when the first outcome
-- is filled.
create table flagged_line (
  period_id bigint not null references period,
  member text collate "C" not null,
  -- How many invites the longest chain has that the member is in; null if that is not too long.
  chain int,
  -- How many of the members that it has invited came from one address, or one device; null if these
  -- are not too many.
  same_address int,
  same_device int,
  primary key (period_id, member),
  constraint "a flag has a reason" check (num_nonnulls(chain, same_address, same_device) > 0)
);

-- A person's decision on a flagged line: it is released once, or refused. What is released is paid
-- by an amendment.
create table line_decision (
  period_id bigint not null,
  member text collate "C" not null,
  decision text not null,
  -- The first revision that may pay what is released.
  since_revision int not null,
  made_by text not null,
  made_at timestamptz not null,
  reason text not null,
  primary key (period_id, member),
  foreign key (period_id, member) references flagged_line,
  constraint "a decision is known" check (decision in ('release', 'refuse')),
  constraint "a closing pays nothing that it withholds" check (since_revision >= 2),
  constraint "a decision has a name and a reason" check (made_by <> '' and reason <> '')
);

-- What an outcome would award flagged lines, and withholds.
create table withheld_award (
  outcome int not null,
  rule smallint not null,
  member text collate "C" not null,
  amount bigint not null,
  primary key (outcome, member, rule),
  foreign key (outcome, rule) references prize,
  constraint "something is withheld" check (amount > 0)
);

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

-- What the server that started last says on approvals by users of a shell, so that the settings of a
-- shell cannot allow them.
create table approval_setting (
  single boolean primary key default true,
  local_approvals boolean not null,
  process text not null,
  at timestamptz not null,
  constraint "there is one approval setting" check (single)
);

-- What each posted revision rests on, as one text, and the text's SHA-256. Its sums are those of
-- the text as data: by field, a list of name, currency, number and amount.
create table manifest (
  period_id bigint not null,
  revision int not null,
  body text not null,
  sums jsonb not null,
  hash text not null,
  written_at timestamptz not null,
  primary key (period_id, revision),
  foreign key (period_id, revision) references revision,
  constraint "a manifest's hash is its text's" check (
    hash = encode(sha256(convert_to(body, 'UTF8')), 'hex')),
  constraint "the sums of a manifest are lists" check (
    jsonb_typeof(sums) = 'object'
    and coalesce(jsonb_typeof(sums -> 'awards-by-rule'), 'array') = 'array'
    and coalesce(jsonb_typeof(sums -> 'payments-by-purpose'), 'array') = 'array')
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
  -- The last link of the audit log at that time, so that who keeps this link keeps that one, too.
  -- Null if the audit log was empty.
  audit_link bigint,
  audit_hash text,
  -- The time by which a month counts the outcome: when it was posted, or the end of the months whose
  -- books were closed by the time it committed, if that is later.
  counted_at timestamptz not null,
  -- SHA-256 of the link and of the hash of the link before it: a change breaks the chain.
  hash text not null,
  constraint "a manifest is linked once" unique (period_id, revision)
);

create index manifest_link_counted on manifest_link (counted_at);

-- Until when the books are closed: the end of the latest month that was read after it was over. An
-- outcome that commits afterwards counts at this time or later, so that it is in the first file of
-- some month.
create table closed_books (
  only_row boolean primary key default true,
  until timestamptz not null,
  constraint "the books have one end" check (only_row)
);
