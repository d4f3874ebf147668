-- A double-entry ledger: transfers of positive amounts from one account to another, their entries,
-- and balances that are a fold of the entries. Rows are added, never changed.
create table account (
  id bigint generated always as identity primary key,
  kind text not null,
  name text collate "C" not null,
  currency text not null,
  balance bigint not null default 0,
  constraint "an owner has one account a currency" unique (kind, name, currency),
  constraint "an account is a house's or a member's" check (kind in ('house', 'member'))
);

create table transfer (
  id bigint generated always as identity primary key,
  period_id bigint not null references period,
  revision int not null,
  member text collate "C" not null,
  rule text not null,
  from_account bigint not null references account,
  to_account bigint not null references account,
  amount bigint not null,
  posted_at timestamptz not null,
  fence bigint not null,
  constraint "a rule pays a member once in a revision" unique (period_id, revision, member, rule),
  constraint "a transfer moves a positive amount" check (amount > 0),
  constraint "a transfer joins two accounts" check (from_account <> to_account)
);

create table entry (
  transfer_id bigint not null references transfer,
  account_id bigint not null references account,
  amount bigint not null,
  primary key (transfer_id, account_id),
  constraint "an entry moves something" check (amount <> 0)
);
create index entry_account on entry (account_id);

-- What is to be paid, in the ledger's own words; whoever pays members adds to this view.
create view payable as
select
  award.period_id,
  award.revision,
  award.member,
  award.rule,
  'rewards:' || period.board as house,
  'credits' as currency,
  award.credits as amount
from award
join period on period.id = award.period_id;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is never edited: % of % refused; post a new transfer instead',
    tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

create trigger "a transfer is never edited" before update or delete or truncate on transfer
  for each statement execute function refuse_change();
create trigger "an entry is never edited" before update or delete or truncate on entry
  for each statement execute function refuse_change();

-- Only the present holder of a period's lease moves its money. The lock keeps it the holder until
-- the transaction ends.
create function require_fence() returns trigger language plpgsql as $$
declare
  stale record;
begin
  perform 1 from period where id in (select period_id from added) for share;
  select added.period_id, added.fence, period.fence as present into stale
    from added join period on period.id = added.period_id
    where added.fence <> period.fence
    limit 1;
  if found then
    raise exception 'stale owner: fence % of period % is over, the present one is %',
      stale.fence, stale.period_id, stale.present
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create trigger "a transfer is posted by the period's owner" after insert on transfer
  referencing new table as added
  for each statement execute function require_fence();

-- The two entries of a transfer come in one statement: its amount out of one account and into the
-- other. The primary key keeps a third one out.
create function require_balance() returns trigger language plpgsql as $$
declare
  torn record;
begin
  select added.transfer_id into torn
    from added join transfer on transfer.id = added.transfer_id
    group by added.transfer_id
    having count(*) <> 2
      or not bool_and(
        (added.account_id = transfer.from_account and added.amount = -transfer.amount)
        or (added.account_id = transfer.to_account and added.amount = transfer.amount))
    limit 1;
  if found then
    raise exception 'the entries of transfer % do not balance', torn.transfer_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create trigger "entries of a transfer balance" after insert on entry
  referencing new table as added
  for each statement execute function require_balance();
