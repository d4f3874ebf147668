-- The same laws of the ledger, held once a statement instead of once a row: a million payments are
-- looked at by a few joins.

-- A balance is the fold of an account's entries, and nothing that is written down beside them.
drop view trial_balance_summary;
drop view trial_balance;
drop trigger "an account is never edited" on account;
drop function refuse_account_edit();
alter table account drop column balance;
create trigger "an account is never edited" before update or delete on account
  for each statement execute function refuse_change();
alter table account enable always trigger "an account is never edited";

-- What an account's entries add up to, and what the transfers say that they should. Balances sum to
-- zero in each currency, or the ledger is broken.
create view trial_balance as
select
  account.kind,
  account.name as account,
  account.currency,
  coalesce(booked.amount, 0) as balance,
  coalesce(moved.amount, 0) as transferred
from account
left join (
  select account_id, sum(amount) as amount from entry group by account_id
) booked on booked.account_id = account.id
left join (
  select account_id, sum(amount) as amount
  from (
    select to_account as account_id, amount from transfer
    union all
    select from_account, -amount from transfer
  ) side
  group by account_id
) moved on moved.account_id = account.id;

-- Accounts by kind: each house's by itself, members' and debts together.
create view trial_balance_summary as
select
  kind,
  case kind when 'house' then account end as account,
  currency,
  count(*) as accounts,
  sum(balance) as balance,
  sum(transferred) as transferred,
  count(*) filter (where balance <> transferred) as wrong
from trial_balance
group by 1, 2, 3;

-- A transfer's period and accounts are there: looked up by the trigger below. They stay there, since
-- no account is ever deleted, and no period that has a revision.
alter table transfer
  drop constraint transfer_period_id_fkey,
  drop constraint transfer_from_account_fkey,
  drop constraint transfer_to_account_fkey;

-- An entry's transfer and account are there: its trigger holds both against the transfer.
alter table entry
  drop constraint entry_transfer_id_fkey,
  drop constraint entry_account_id_fkey;

-- What a session planned when the tables were small is not what a million rows want.
create or replace function require_fence() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  stale record;
begin
  perform 1 from period where id in (select period_id from added) for share;
  select added.period_id, added.fence, period.fence as present into stale
    from added left join period on period.id = added.period_id
    where added.fence is distinct from period.fence
    limit 1;
  if found then
    raise exception 'stale owner: fence % of period % is over, the present one is %',
      stale.fence, stale.period_id, stale.present
      using errcode = 'integrity_constraint_violation';
  end if;
  select used.id into stale
    from (select from_account as id from added union select to_account from added) used
    left join account on account.id = used.id
    where account.id is null
    limit 1;
  if found then
    raise exception 'transfer of account %: no such account', stale.id
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function require_balance() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  torn bigint;
begin
  -- The entries of a table of a period's own are of the transfers of such a one, and those of the
  -- shared table of the shared one's.
  execute format(
    $sql$
      select added.transfer_id
      from added
      left join only %I transfer
        on transfer.id = added.transfer_id
      group by added.transfer_id
      having count(*) <> 2
        or not bool_and(
          transfer.id is not null
          and ((added.account_id = transfer.from_account and added.amount = -transfer.amount)
            or (added.account_id = transfer.to_account and added.amount = transfer.amount)))
      limit 1
    $sql$,
    replace(tg_table_name, 'entry', 'transfer')) into torn;
  if torn is not null then
    raise exception 'the entries of transfer % do not balance', torn
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
