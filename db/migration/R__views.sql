-- The views that people and the application read: reports, pages and an operator's psql read the
-- same ones. Runs again whenever this file changes. All are dropped by one statement, whatever the
-- order in which they use each other. If a view outside depends on one, that statement fails and
-- names it.
drop view if exists
  palmares, palmares_revision, period_overview, period_note, period_transfers, run_overview,
  revision_overview, loss_overview, loss_line, tier_overview, outbox_overview, account_statement,
  trial_balance, trial_balance_summary, basis, counted_event, exclusion_in_force, shaper, approver,
  payable, kept_commit, expirable;

-- ---- Final lines

-- Final lines of every revision, including those that are held or were rejected. Awards are looked
-- up line by line, so that a few lines of a big board cost a few lookups.
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

-- Final lines of settled periods, in the revision in force.
create view palmares as
select * from palmares_revision where stands;

-- Moves between tiers, by the revisions in force.
create view tier_overview as
select
  tier_move.family,
  period.name as period,
  period.starts_at,
  tier_move.tier,
  period.board,
  standing.place,
  standing.points,
  tier_move.member,
  tier_move.direction,
  tier_move.to_tier,
  tier_move.to_board
from tier_move
join period on period.id = tier_move.period_id and period.revision = tier_move.revision
join standing
  on standing.period_id = tier_move.period_id
  and standing.revision = tier_move.revision
  and standing.member = tier_move.member
where period.state in ('settled', 'expired');

create view loss_overview as
select
  period.board,
  period.name as period,
  loss.kind,
  loss.points,
  loss.reached_at,
  loss.members
from loss
join period on period.id = loss.period_id;

-- The members of each loss, at their places in the revision in force.
create view loss_line as
select
  period.board,
  period.name as period,
  loss.kind,
  loss.points,
  loss.reached_at,
  loss.members,
  standing.place,
  standing.member
from loss
join period on period.id = loss.period_id
join standing
  on standing.period_id = loss.period_id
  and standing.revision = period.revision
  and standing.points = loss.points
  and standing.reached_at is not distinct from loss.reached_at;

-- ---- Periods and their closings

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

-- What a reader of a period's lines should know in addition.
create view period_note as
select period.board, period.name as period, note.note
from period
cross join lateral (
  select concat_ws(
    '; ',
    (select format('the order of %s members in %s %s is not known', sum(members), count(*),
        case when count(*) = 1 then 'group' else 'groups' end)
      from loss where loss.period_id = period.id having count(*) > 0),
    (select string_agg(
        format('%s %s written to %s after the seal, and not paid', entries,
          case when entries = 1 then 'entry was' else 'entries were' end, key),
        '; ' order by key)
      from late_write where late_write.period_id = period.id),
    (select format('closed with %s of %s sealed events and %s of %s sealed members, which %s'
          ' acknowledged: %s',
        events, sealed_events, members, sealed_members, made_by, reason)
      from acknowledged_loss
      where acknowledged_loss.period_id = period.id
      order by fence desc
      limit 1)) as note
) note
where note.note <> '';

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

-- Settled periods without an undecided amendment: their live keys go when their retention is over.
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

-- ---- What a revision is computed from

-- The committed events that a live board holds or will hold: the journal must have each of them.
create view kept_commit as
select period_id, n, id, member, outcome, points
from committed_event
where outcome is null
  or outcome in ('applied', 'undone', 'repeated', 'nothing-to-undo', 'unchanged', 'capped');

-- The events that count in a revision: the journal's, and the late ones that it accepted. Rewards
-- by action count these.
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

-- The lines that a revision is ranked from: the snapshot's, unless they were amended.
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

-- The strongest exclusion of each member that is in force for a period now.
create view exclusion_in_force as
select distinct on (period.id, exclusion.member)
  period.id as period_id,
  exclusion.member,
  exclusion.level,
  exclusion.id as exclusion_id,
  exclusion.board,
  exclusion.starts_at,
  exclusion.ends_at,
  exclusion.reason,
  exclusion.made_by
from period
join exclusion
  on exclusion.lifted_at is null
  and coalesce(exclusion.board, period.board) = period.board
  and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
  and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
order by period.id, exclusion.member, strength(exclusion.level), exclusion.id;

-- ---- Who shaped and who approved a revision

-- Who shaped the outcome of a revision, and how: by an exclusion or a lifting that affected one of
-- its members, a correction, a decision on a late event or on ties, or by requesting it. What
-- shaped a posted revision also shapes all that amend it.
create view shaper as
select period_id, revision, lower(btrim(by)) as name, how
from (
  select period_id, revision, made_by as by, 'by an exclusion' as how
  from frozen_exclusion
  union
  select revision.period_id, revision.revision, exclusion.lifted_by, 'by lifting an exclusion'
  from revision
  join period on period.id = revision.period_id
  join exclusion
    on exclusion.lifted_at >= period.starts_at
    and exclusion.lifted_at < revision.frozen_at
    and coalesce(exclusion.board, period.board) = period.board
    and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
    and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
  where exists (
    select from standing
    where standing.period_id = revision.period_id
      and standing.revision = revision.revision
      and standing.member = exclusion.member)
  union
  select period_id, revision, made_by, 'by a correction'
  from correction
  union
  select revision.period_id, revision.revision, loss.made_by, 'by acknowledging a loss'
  from revision
  join acknowledged_loss loss on loss.period_id = revision.period_id
  union
  select revision.period_id, revision.revision, late_event.decided_by,
    'by a decision on a late event'
  from revision
  join period on period.id = revision.period_id
  join late_event
    on late_event.board = period.board
    and late_event.period = period.name
    and late_event.decided_at <= revision.prepared_at
  union
  select later.period_id, later.revision, shaped.by, shaped.how
  from revision
  cross join lateral (values
    (ties_by, 'by a decision on ties'),
    (case when base is not null then prepared_by end, 'by asking for the amendment')
  ) as shaped (by, how)
  join revision later
    on later.period_id = revision.period_id
    and (later.revision = revision.revision
      or later.revision > revision.revision and revision.posted_at is not null)
  where shaped.by is not null
) shaped;

-- The people behind a revision: who approved it, and who closed the period by hand. A person who
-- shaped it does not count.
create view approver as
select period_id, revision, name
from (
  select period_id, revision, lower(btrim(by)) as name from approval
  union
  select period_id, revision, lower(btrim(closed_by)) from revision where closed_by is not null
) person
where not exists (
  select from shaper
  where shaper.period_id = person.period_id
    and shaper.revision = person.revision
    and shaper.name = person.name);

-- ---- The ledger

-- What is to be posted, as transfers: the awards of a first revision, and the differences of an
-- amendment. What a member owes is handled as the rules say. What a member gets again first
-- restores what was owed or written off before. An amount waived in one currency is never restored
-- in another.
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

-- The entries of each account, with the other side of each.
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
join account other on other.id = case account.id
  when transfer.from_account then transfer.to_account
  else transfer.from_account
end;

-- The sum of each account's entries, and the sum by its transfers: the two are equal. Balances sum
-- to zero in each currency, or the ledger is broken.
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

-- Accounts by kind: each house account separately, members' and debts in total.
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

-- What a period transferred, revision by revision.
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

-- ---- The outbox

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
