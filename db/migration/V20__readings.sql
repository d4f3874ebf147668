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

-- The other side of each line comes with it.
create or replace view account_statement as
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

-- A rule whose currency changes gives back in the old one and pays in the new: two transfers, told
-- apart by their purpose. What was waived in one currency is never restored in another.
drop index "a rule pays a member once in a revision";
create unique index "a rule pays a member once in a revision" on transfer (
  period_id, revision, member, rule, purpose);

-- So that what was left as a debt is never restored to the write-offs, nor the other way round.
alter table revision
  add constraint "a revision says what becomes of what is owed" unique (period_id, revision, owed),
  add constraint "what becomes of what is owed is the same in all revisions"
    foreign key (period_id, base, owed) references revision (period_id, revision, owed);

create or replace view payable as
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
