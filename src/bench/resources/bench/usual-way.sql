-- The tables of a closing as common recipes do it: a row for each line, transfer and entry, and
-- accounts with balances.
create table usual_standing (
  period_id bigint not null,
  revision int not null,
  place bigint not null,
  rank bigint,
  member text collate "C" not null,
  points bigint not null,
  reached_at timestamptz,
  then_by bigint not null default 0,
  arrival bigint not null default 0,
  primary key (period_id, revision, place),
  constraint "a member has one line in a revision" unique (period_id, revision, member),
  constraint "places count from one" check (place >= 1),
  constraint "a rank is never worse than the place" check (rank between 1 and place)
);

create table usual_account (
  id bigint generated always as identity primary key,
  kind text not null,
  name text collate "C" not null,
  currency text not null,
  balance bigint not null,
  constraint "an owner has one account a currency" unique (kind, name, currency)
);

create table usual_transfer (
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
  constraint "a rule pays a member once" unique (period_id, revision, member, rule, purpose),
  constraint "a transfer moves a positive amount" check (amount > 0),
  constraint "a transfer joins two accounts" check (from_account <> to_account)
);

create table usual_entry (
  transfer_id bigint not null,
  account_id bigint not null,
  amount bigint not null,
  primary key (transfer_id, account_id),
  constraint "an entry moves something" check (amount <> 0)
);
create index usual_entry_account on usual_entry (account_id);
