-- What people read: reports, pages and an operator's psql read the same views.

-- Final lines of settled periods, in their latest revision. Credits are looked up line by line, so that a few lines of a big
-- board cost a few look-ups.
create view palmares as
select
  period.board,
  period.name as period,
  period.starts_at,
  standing.revision,
  standing.place,
  standing.rank,
  standing.member,
  standing.points,
  standing.reached_at,
  coalesce(paid.credits, 0) as credits
from standing
join period on period.id = standing.period_id
cross join lateral (
  select max(revision) as revision
  from standing
  where standing.period_id = period.id
) latest
cross join lateral (
  select sum(amount) as credits
  from transfer
  where transfer.period_id = standing.period_id
    and transfer.revision = standing.revision
    and transfer.member = standing.member
) paid
where period.state in ('settled', 'expired') and standing.revision = latest.revision;

create view period_overview as
select
  board,
  name as period,
  state,
  starts_at,
  ends_at,
  closes_at,
  sealed_members as members,
  sealed_points as points,
  settled_at,
  expired_at,
  failures,
  failure,
  retry_at
from period;

create view run_overview as
select
  run.id,
  period.board,
  period.name as period,
  run.cause,
  run.owner,
  run.started_at,
  run.ended_at,
  run.step,
  run.outcome,
  run.failure,
  run.stack
from run
join period on period.id = run.period_id;

create view account_statement as
select
  account.kind,
  account.name as account,
  account.currency,
  transfer.posted_at,
  period.board,
  period.name as period,
  transfer.revision,
  transfer.rule,
  entry.amount,
  transfer.id as transfer_id
from entry
join account on account.id = entry.account_id
join transfer on transfer.id = entry.transfer_id
join period on period.id = transfer.period_id;

-- Sums to zero in each currency, or the ledger is broken.
create view trial_balance as
select
  account.kind,
  account.name as account,
  account.currency,
  account.balance,
  coalesce(sum(entry.amount), 0) as entries
from account
left join entry on entry.account_id = account.id
group by account.id;
