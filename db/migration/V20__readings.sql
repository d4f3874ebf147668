-- What counts in a revision: the journal's events, and the late ones that it has accepted. Whoever
-- pays by action counts these.
create view counted_event as
select
  revision.period_id,
  revision.revision,
  event.member,
  event.action,
  event.subject,
  event.outcome,
  event.quantity,
  event.points,
  event.then_by,
  event.occurred_at
from revision
join event on event.period_id = revision.period_id
union all
select
  correction.period_id,
  correction.revision,
  correction.member,
  late_event.action,
  late_event.subject,
  case when late_event.undo then 'undone' else 'applied' end,
  late_event.quantity,
  correction.points,
  correction.then_by,
  late_event.occurred_at
from correction
join period on period.id = correction.period_id
join late_event
  on late_event.board = period.board
  and late_event.period = period.name
  and late_event.id = correction.event_id;

-- The late events of a member, for whoever asks what came of them.
create index late_event_member on late_event (member);

-- What a period moved, revision by revision.
create view period_transfers as
select
  period.board,
  period.name as period,
  transfer.revision,
  transfer.purpose,
  transfer.rule,
  account.currency,
  count(*) as transfers,
  sum(transfer.amount) as amount
from transfer
join period on period.id = transfer.period_id
join account on account.id = transfer.from_account
group by
  period.board, period.name, transfer.revision, transfer.purpose, transfer.rule, account.currency;

-- Accounts by kind: each house's by itself, members' and debts together.
create view trial_balance_summary as
select
  kind,
  case kind when 'house' then account end as account,
  currency,
  count(*) as accounts,
  sum(balance) as balance,
  sum(entries) as entries,
  count(*) filter (where balance <> entries) as wrong
from trial_balance
group by 1, 2, 3;
