-- The views that people and the application read: reports, pages and an operator's psql read the
-- same ones. Runs again whenever this file changes. One statement drops all of them, so that the
-- order in which they use each other does not matter. If another view depends on one, that
-- statement fails and names it. In a big history, name the outcome (where outcome = ...):
-- PostgreSQL then reads the tables of that outcome alone.
drop view if exists
  snapshot, standing, award_change, award_part, award, basis, posted_payment, transfer, entry,
  account_statement, trial_balance, trial_balance_summary, period_transfers, palmares_revision,
  palmares, tier_overview, loss_overview, loss_line, period_overview, period_note, run_overview,
  step_overview, revision_overview, expirable, kept_commit, correction_text, counted_event,
  exclusion_in_force, shaper, approver, outbox_overview, withheld_line;

-- ---- Outcomes

-- The frozen board: every member that stood on it, hidden ones too.
create view snapshot as
select revision.period_id, line.member, line.points, line.reached_at,
  coalesce(line.then_by, 0) as then_by, coalesce(line.arrival, 0) as arrival,
  revision.id as outcome
from revision
join line on line.outcome = revision.id
where revision.revision = 1;

-- Final lines of every outcome, posted or not.
create view standing as
select revision.period_id, revision.revision, line.place, line.rank::bigint as rank, line.member,
  line.points,
  line.reached_at, coalesce(line.then_by, 0) as then_by, coalesce(line.arrival, 0) as arrival,
  revision.id as outcome, revision.posted_at
from revision
join line on line.outcome = revision.id
where line.place is not null;

-- What an outcome adds to a member's awards by each rule, or takes from them; posted or not. The
-- first outcome of a period adds all of them, an amendment the differences only.
create view award_change as
select payment.outcome, payment.member, prize.name as rule, prize.currency,
  case when payment.purpose in (1, 5) then payment.amount else -payment.amount end as credits
from payment
join prize on prize.outcome = payment.outcome and prize.rule = payment.rule;

-- The same for a few outcomes: it reads the payments and the prizes of these alone. A condition on
-- the view's outcome would not reach the prizes. OutcomeTables has the same text for tables that
-- are not attached.
create or replace function award_changes(outcomes int[])
  returns table (outcome int, member text, rule text, currency text, credits bigint)
  language sql stable
begin atomic
  select payment.outcome, payment.member, prize.name as rule, prize.currency,
    case when payment.purpose in (1, 5) then payment.amount else -payment.amount end as credits
  from payment
  join prize on prize.outcome = payment.outcome and prize.rule = payment.rule
  where payment.outcome = any(outcomes) and prize.outcome = any(outcomes);
end;

-- The outcomes whose changes make up the awards of an outcome: itself, and the posted ones before
-- it.
create view award_part as
select whole.period_id, whole.revision, whole.id as outcome, part.id as part
from revision whole
join revision part
  on part.period_id = whole.period_id
  and (part.id = whole.id or part.revision < whole.revision and part.posted_at is not null);

-- What the members get by each rule in an outcome, posted or not.
create view award as
select revision.period_id, revision.revision, member, rule, credits, currency, outcome
from award_change
join revision on revision.id = award_change.outcome
where revision.revision = 1
union all
select award_part.period_id, award_part.revision, member, rule, sum(credits)::bigint as credits,
  currency, award_part.outcome
from award_part
join award_change on award_change.outcome = award_part.part
where award_part.revision > 1
group by award_part.period_id, award_part.revision, award_part.outcome, member, rule, currency
having sum(credits) <> 0;

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

-- ---- The ledger

-- The payments of posted outcomes as they are stored, in the order of their unique index: what is
-- not posted is no money.
create view posted_payment as
select payment.outcome, payment.member, payment.rule, payment.purpose, payment.amount,
  revision.period_id, revision.revision, revision.owed, revision.posted_at
from payment
join revision on revision.id = payment.outcome
where revision.posted_at is not null;

-- The payments of posted outcomes: each moves its amount from one account to another.
create view transfer as
select paid.period_id, paid.revision, paid.member, prize.name as rule,
  (array['award', 'return', 'debt', 'write-off', 'restored'])[purpose] as purpose,
  case purpose when 2 then 'member' when 3 then 'debt' else 'house' end as from_kind,
  case purpose
    when 2 then paid.member
    when 3 then paid.member
    when 4 then 'write-offs:' || period.board
    else 'rewards:' || period.board
  end as from_name,
  case when purpose = 1 then 'member' when purpose = 5 and owed = 'debt' then 'debt' else 'house'
    end as to_kind,
  case
    when purpose = 1 or purpose = 5 and owed = 'debt' then paid.member
    when purpose = 5 then 'write-offs:' || period.board
    else 'rewards:' || period.board
  end as to_name,
  prize.currency, paid.amount, paid.posted_at, period.board, period.name as period,
  paid.outcome, paid.rule as rule_number, paid.purpose as purpose_number
from posted_payment paid
join period on period.id = paid.period_id
join prize on prize.outcome = paid.outcome and prize.rule = paid.rule;

-- Both sides of each transfer: what it takes from an account is below zero. So entries sum to zero
-- in each currency.
create view entry as
select side.*, period_id, revision, member, rule, purpose, currency, posted_at, board, period,
  outcome, rule_number, purpose_number
from transfer
cross join lateral (values
  (from_kind, from_name, -amount, to_kind, to_name),
  (to_kind, to_name, amount, from_kind, from_name)
) as side (kind, account, amount, other_kind, other_account);

-- The entries of each account, with the other side of each.
create view account_statement as
select kind, account, currency, posted_at, board, period, revision, member, rule, purpose,
  amount, other_kind, other_account, outcome, rule_number, purpose_number
from entry;

-- The sum of each account's entries. Balances sum to zero in each currency.
create view trial_balance as
select kind, account, currency, sum(amount) as balance from entry group by kind, account, currency;

-- Accounts by kind: each house's alone, members' and debts together.
create view trial_balance_summary as
select kind, case kind when 'house' then account end as account, currency,
  count(*) as accounts, sum(balance) as balance
from trial_balance
group by 1, 2, 3;

-- What a period moved, outcome by outcome.
create view period_transfers as
select board, period, revision, purpose, rule, currency, count(*) as transfers,
  sum(amount) as amount, outcome
from transfer
group by board, period, revision, purpose, rule, currency, outcome;

-- ---- Final lines

-- Final lines of every revision, including those that are held or rejected: what these would award
-- is no money, so it is null.
create view palmares_revision as
select
  period.board,
  period.name as period,
  period.starts_at,
  standing.revision,
  standing.revision = period.revision and is_settled(period.state) as in_force,
  standing.place,
  standing.rank,
  standing.member,
  standing.points,
  standing.reached_at,
  case when standing.posted_at is not null then coalesce(awarded.credits, 0) end as credits,
  standing.then_by,
  awarded.others as other_prizes,
  (
    select json_object_agg(award.rule, award.credits)
    from award
    where standing.posted_at is not null
      and award.outcome = standing.outcome
      and award.member = standing.member
  ) as awards,
  standing.outcome
from standing
join period on period.id = standing.period_id
cross join lateral (
  select
    sum(credits) filter (where currency = 'credits') as credits,
    json_object_agg(currency, credits order by currency)
      filter (where currency <> 'credits') as others
  from (
    select currency, sum(credits) as credits
    from award
    where standing.posted_at is not null
      and award.outcome = standing.outcome
      and award.member = standing.member
    group by currency
  ) by_currency
) awarded;

-- Final lines of settled periods, in the revision in force. Credits are looked up line by line,
-- so that a few lines of a big board cost a few look-ups.
create view palmares as
select * from palmares_revision where in_force;

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
  tier_move.to_board,
  standing.outcome
from tier_move
join period on period.id = tier_move.period_id and period.revision = tier_move.revision
join standing
  on standing.period_id = tier_move.period_id
  and standing.revision = tier_move.revision
  and standing.member = tier_move.member
where is_settled(period.state);

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

-- The members that a loss is about, in the revision in force.
create view loss_line as
select
  period.board,
  period.name as period,
  loss.kind,
  loss.points,
  loss.reached_at,
  loss.members,
  standing.place,
  standing.member,
  standing.outcome
from loss
join period on period.id = loss.period_id
join standing
  on standing.period_id = loss.period_id
  and standing.revision = period.revision
  and standing.points = loss.points
  and standing.reached_at is not distinct from loss.reached_at;

-- ---- Periods and runs

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
  failure ->> 'text' as failure,
  retry_at,
  revision,
  expiry_failure,
  expiry_retry_at
from period;

-- What a reader of a period's lines should know in addition, a sentence a row.
create view period_note as
select period.board, period.name as period, note.note
from period
cross join lateral (
  select jsonb_build_object('code', 'period-note.order-unknown', 'values',
      jsonb_build_object('members', sum(members), 'groups', count(*))) as note
  from loss
  where loss.period_id = period.id
  having count(*) > 0
  union all
  select jsonb_build_object('code', 'period-note.late-write', 'values',
      jsonb_build_object('entries', entries, 'key', key))
  from late_write
  where late_write.period_id = period.id
  union all
  select
    case
      when (members, points, events) = (rebuilt_members, rebuilt_points, rebuilt_events) then
        jsonb_build_object('code', 'period-note.closed-with', 'values',
          jsonb_build_object('events', events, 'sealedEvents', sealed_events, 'members', members,
            'sealedMembers', sealed_members, 'by', made_by, 'why', acknowledged.why))
      else jsonb_build_object('code', 'period-note.loss-acknowledged', 'values',
        jsonb_build_object('by', made_by, 'why', acknowledged.why))
    end
  from acknowledged_loss loss
  cross join lateral (
    select to_jsonb(array_remove(array[
      case when forgotten is not null then
        jsonb_build_object('code', 'period-note.forgotten', 'values',
          jsonb_build_object('state', forgotten)) end,
      given_up,
      jsonb_build_object('code', 'verbatim', 'values', jsonb_build_object('text', reason))
    ], null)) as why
  ) acknowledged
  where loss.period_id = period.id
    and (missing_events > 0
      or forgotten is not null
      or fence = (
        select max(latest.fence)
        from acknowledged_loss latest
        where latest.period_id = period.id
          and (latest.members, latest.points, latest.events)
            = (rebuilt_members, rebuilt_points, rebuilt_events)))
) note;

create view run_overview as
select
  run.id,
  period.board,
  period.name as period,
  run.cause,
  run.node,
  run.started_at,
  run.ended_at,
  run.step,
  run.outcome,
  run.failure ->> 'text' as failure,
  run.stack
from run
join period on period.id = run.period_id;

-- The steps of every run and their slices, with the rate at which they were counted. The time left
-- is known while a step with a known total runs.
create view step_overview as
select
  step_progress.run_id,
  period.board,
  period.name as period,
  step_progress.n,
  step_progress.step,
  step_progress.slice,
  step_progress.unit,
  step_progress.started_at,
  step_progress.ended_at,
  step_progress.done,
  step_progress.total,
  case when counted.seconds > 0 then done / counted.seconds end as per_second,
  case
    when run.outcome = 'running' and step_progress.ended_at is null and done > 0 and total >= done
      then (total - done) * counted.seconds / done
  end as seconds_left
from step_progress
join run on run.id = step_progress.run_id
join period on period.id = run.period_id
cross join lateral (
  select extract(
    epoch from coalesce(step_progress.ended_at, counted_at) - step_progress.started_at)::float8
    as seconds
) counted;

-- Every revision of every period, for people: who made it, why, and what became of it.
create view revision_overview as
select
  period.board,
  period.name as period,
  revision.revision,
  revision.base,
  case
    when posted_at is not null and revision.revision = period.revision then 'in force'
    when posted_at is not null then 'superseded'
    when verdict is not null then verdict
    when held_for <> '[]' or base is not null then 'undecided'
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
  revision.posted_at,
  revision.id as outcome
from revision
join period on period.id = revision.period_id;

-- Settled periods without an undecided amendment: their live keys go when their retention is over.
create view expirable as
select id, expires_at, expiry_failures, expiry_retry_at
from period
where settled_at is not null
  and expired_at is null
  and not exists (
    select from revision
    where revision.period_id = period.id
      and base is not null
      and posted_at is null
      and verdict is distinct from 'rejected');

-- ---- Events and exclusions

-- The committed events that a live board holds or will hold: the journal must have each of them.
create view kept_commit as
select period_id, n, id, member, outcome, points
from committed_event
where outcome is null
  or outcome in ('applied', 'undone', 'repeated', 'nothing-to-undo', 'unchanged', 'capped');

-- Each correction with its late event as one text, whose hashes a manifest adds up.
create view correction_text as
select correction.period_id, correction.revision, correction.n, concat_ws('|', n, correction.kind,
  correction.points, correction.then_by, coalesce(micros(correction.at), 0),
  quote_nullable(event_id), quote_nullable(correction.reason), quote_nullable(made_by),
  made_at at time zone 'UTC', correction.member, late_event.action,
  quote_nullable(late_event.subject), late_event.undo, late_event.quantity,
  late_event.value, late_event.then_by, micros(late_event.occurred_at),
  micros(arrived_at), quote_nullable(late_event.decided_by),
  micros(late_event.decided_at), quote_nullable(late_event.verdict_reason)) as text
from correction
join period on period.id = correction.period_id
left join late_event
  on late_event.board = period.board
  and late_event.period = period.name
  and late_event.id = correction.event_id;

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

-- The strongest exclusion of each member that is in force for a period now.
create view exclusion_in_force as
select distinct on (period.id, exclusion.member)
  period.id as period_id,
  exclusion.member,
  exclusion.level,
  exclusion.id as exclusion_id,
  exclusion.board,
  exclusion.list,
  exclusion.starts_at,
  exclusion.ends_at,
  exclusion.reason,
  exclusion.made_by
from period
left join revision present
  on present.period_id = period.id and present.revision = period.revision
join definition on definition.hash = coalesce(present.definition_hash, period.definition_hash)
join exclusion
  on exclusion.lifted_at is null
  and coalesce(exclusion.board, period.board) = period.board
  and (exclusion.list is null or exclusion.list = any(definition.lists))
  and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
  and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
order by period.id, exclusion.member, strength(exclusion.level), exclusion.id;

-- ---- Withheld lines

-- The flagged lines that a revision withholds: those that nobody has released early enough for it.
create view withheld_line as
select revision.period_id, revision.revision, revision.id as outcome, flagged_line.member
from flagged_line
join revision using (period_id)
where not exists (
  select from line_decision released
  where released.period_id = flagged_line.period_id
    and released.member = flagged_line.member
    and released.decision = 'release'
    and released.since_revision <= revision.revision);

-- ---- Who shaped an outcome

-- Who shaped the outcome of a revision, and how: by an exclusion or a lifting that made a
-- difference to one of its members, a correction, a decision on a late event or on ties, by
-- importing its events, rebuilding its board, closing or restarting it, or by asking for it. What
-- shaped a posted revision shapes all that amend it. What was entered before the revision is older
-- by its number: times go back if the clock does.
create view shaper as
select period_id, revision, person(by) as name, how
from (
  select period_id, revision, made_by as by, 'exclusion' as how
  from frozen_exclusion
  union
  -- Weaker exclusions of the same member, which apply if the strongest is lifted.
  select frozen.period_id, frozen.revision, exclusion.made_by, 'exclusion'
  from frozen_exclusion frozen
  join revision using (period_id, revision)
  join period on period.id = frozen.period_id
  join definition on definition.hash = revision.definition_hash
  join exclusion
    on exclusion.member = frozen.member
    and exclusion.made_at < revision.frozen_at
    and coalesce(exclusion.lifted_at, 'infinity') >= revision.frozen_at
    and coalesce(exclusion.board, period.board) = period.board
    and (exclusion.list is null or exclusion.list = any(definition.lists))
    and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
    and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
  union
  select period_id, revision, prepared_by, 'close'
  from revision
  where base is null
  union
  select revision.period_id, revision.revision, audit_entry.by, 'restart'
  from revision
  join period on period.id = revision.period_id
  join audit_entry
    on audit_entry.board = period.board
    and audit_entry.period = period.name
    and audit_entry.verb = 'restart'
    -- One that continued what was computed and approved changed nothing of it.
    and audit_entry.id <= revision.follows_entry
  where revision.base is null
  union
  select revision.period_id, revision.revision, audit_entry.by,
    case when verb = 'rebuild' then verb else 'late-event' end
  from revision
  join period on period.id = revision.period_id
  join audit_entry
    on audit_entry.board = period.board
    and audit_entry.period = period.name
    and audit_entry.id <= revision.follows_entry
  where verb in ('accept', 'dismiss') or verb = 'rebuild' and base is null
  union
  select revision.period_id, revision.revision, import_run.by, 'import'
  from revision
  join imported_period imported
    on imported.period_id = revision.period_id
    and imported.n <= revision.follows_entry
  join import_run on import_run.id = imported.import_run_id
  union
  select revision.period_id, revision.revision, exclusion.lifted_by, 'lift'
  from revision
  join period on period.id = revision.period_id
  join definition on definition.hash = revision.definition_hash
  join exclusion
    on exclusion.lifted_at >= period.starts_at
    and exclusion.lifted_at < revision.frozen_at
    and coalesce(exclusion.board, period.board) = period.board
    and (exclusion.list is null or exclusion.list = any(definition.lists))
    and coalesce(exclusion.starts_at, '-infinity') < period.ends_at
    and coalesce(exclusion.ends_at, 'infinity') > period.starts_at
  where has_place(revision.id, exclusion.member)
  union
  select period_id, revision, made_by, 'correction'
  from correction
  union
  select revision.period_id, revision.revision, made_by, 'flagged-line'
  from line_decision
  join revision
    on revision.period_id = line_decision.period_id
    and revision.revision >= line_decision.since_revision
  union
  select revision.period_id, revision.revision, loss.made_by, 'loss'
  from revision
  join acknowledged_loss loss on loss.period_id = revision.period_id
  union
  select revision.period_id, revision.revision, entry.resolved_by, 'quarantine'
  from revision
  join journal_quarantine entry on entry.period_id = revision.period_id
  where entry.resolved_by is not null
  union
  select later.period_id, later.revision, shaped.by, shaped.how
  from revision
  cross join lateral (values
    (ties_by, 'ties'),
    (case when base is not null then prepared_by end, 'amend')
  ) as shaped (by, how)
  join revision later
    on later.period_id = revision.period_id
    and (later.revision = revision.revision
      or later.revision > revision.revision and revision.posted_at is not null)
  where shaped.by is not null
) shaped;

-- The people who approve a revision. Nobody who shaped it counts.
create view approver as
select distinct period_id, revision, person(by) as name
from approval
where not exists (
  select from shaper
  where shaper.period_id = approval.period_id
    and shaper.revision = approval.revision
    and shaper.name = person(approval.by));

-- ---- Delivery

create view outbox_overview as
select
  target.name,
  target.address,
  target.since,
  target.delivered,
  greatest(0, (
    select coalesce(
      sum(1 + case when 'award.*' = any(target.facts) then transfers else 0 end), 0)
    from fact
    where n > target.fact and type = any(target.facts)) - target.parts)
      + (select count(*) from fact where n is null and type = any(target.facts)) as waiting,
  target.delivered_at,
  target.failures,
  target.failing_since,
  target.failure,
  target.retry_at,
  target.parked_at
from outbox_target target;

-- ---- What others may read

-- The views with a comment are an interface for programs of others, which the role palmares_read
-- may select. All others are the application's own and change without notice. A column means the
-- same in every view that has it, unless the view says otherwise.
do $$
declare
  described record;
begin
  for described in
    select * from (values
      ('palmares', 'the lines of settled periods, in the revision in force'),
      ('palmares_revision', 'the lines of every revision, including held and rejected ones'),
      ('tier_overview', 'the moves of members between the tiers of a board family'),
      ('loss_overview', 'groups of members of adopted boards whose order is not known'),
      ('loss_line', 'the members of the groups of loss_overview, in the revision in force'),
      ('period_overview', 'every period: its state, times and totals'),
      ('period_note', 'what a reader of a period''s lines should know in addition'),
      ('run_overview', 'every attempt to close a period'),
      ('step_overview', 'the steps of every run and their slices, with progress'),
      ('revision_overview', 'every revision: who made it, why, and what became of it'),
      ('transfer', 'posted payments; each moves an amount from one account to another'),
      ('entry', 'both sides of each transfer; they sum to zero in each currency'),
      ('account_statement', 'the entries of each account, with the other side of each'),
      ('trial_balance', 'the balance of each account; they sum to zero in each currency'),
      ('trial_balance_summary',
        'balances by kind: each house account alone, those of members and debts together'),
      ('period_transfers', 'what each outcome moved, by purpose, rule and currency')
    ) as view (name, meaning)
  loop
    execute format('comment on view %I is %L', described.name, described.meaning);
  end loop;
  for described in
    with meaning (view, field, text) as (values
      (null, 'account', 'the member, or `rewards:BOARD` or `write-offs:BOARD` of the house'),
      (null, 'amount', 'in the unit of the board file, above zero'),
      (null, 'awards', 'what the member gets by each rule, in all currencies; null if nothing'),
      (null, 'balance', 'the sum of the entries'),
      (null, 'base', 'the revision that it amends; null for the first'),
      (null, 'board', 'the board''s name'),
      (null, 'cause', 'what started the run'),
      (null, 'closes_at', 'end plus grace; null if the board never closes'),
      (null, 'credits', 'what the member gets in the currency `credits`; 0 if nothing'),
      (null, 'currency', 'the currency of the amount'),
      (null, 'decided_at', 'when it was decided on'),
      (null, 'decided_by', 'who decided on it; null if nobody did'),
      (null, 'direction', '`up` or `down`'),
      (null, 'done', 'how many units are done'),
      (null, 'ended_at', 'the end; null while it goes on'),
      (null, 'ends_at', 'the end of the period; the period does not include it'),
      (null, 'expired_at', 'when the live keys left Redis; null before'),
      (null, 'expiry_failure', 'why the live keys outlive their retention; null if they do not'),
      (null, 'expiry_retry_at', 'when their expiry is retried'),
      (null, 'failure', 'the last failure; null if there was none'),
      (null, 'failures', 'how often the closing has failed'),
      (null, 'family', 'the board family'),
      (null, 'from_kind', 'the kind of the account that the amount leaves'),
      (null, 'from_name', 'the account that the amount leaves'),
      (null, 'held_for', 'why it is held for approval; empty if it is not held'),
      (null, 'id', 'the number of the run'),
      (null, 'in_force', 'whether the period is settled with this revision'),
      (null, 'kind', 'the kind of the account: `house`, `member` or `debt`'),
      (null, 'member', 'the member''s id'),
      (null, 'members', 'how many members'),
      (null, 'n', 'the order in which the steps and slices of a run began'),
      (null, 'node', 'the server that ran it'),
      (null, 'note', 'one sentence, as its code and values'),
      (null, 'other_account', 'the account of the other side'),
      (null, 'other_kind', 'the kind of the account of the other side'),
      (null, 'other_prizes', 'what the member gets in each other currency; null if nothing'),
      (null, 'outcome', 'the number of the revision among all boards; a condition on it is fast'),
      (null, 'per_second', 'units a second; null if not known'),
      (null, 'period', 'the period''s name, such as `2026-11-20` or `2026-W47`'),
      (null, 'period_id', 'the number of the period among all boards'),
      (null, 'place', 'the position in the one order, from 1; each is taken once'),
      (null, 'points', 'the member''s points'),
      (null, 'posted_at', 'when the outcome was posted; null if it is not'),
      (null, 'prepared_at', 'when it was prepared'),
      (null, 'prepared_by', 'who prepared it'),
      (null, 'purpose', '`award`, `return`, `debt`, `write-off` or `restored`'),
      (null, 'purpose_number', 'the purpose as a number, from 1 in this order'),
      (null, 'rank', 'the rank by the board''s method; null for unranked members'),
      (null, 'reached_at', 'when the member reached the points; null if not known'),
      (null, 'reason', 'the reason that was given'),
      (null, 'release_at', 'when a held revision is released automatically; null if never'),
      (null, 'retry_at', 'when it is retried; null if it is not'),
      (null, 'revision', 'the number of the revision in its period; the closing makes 1'),
      (null, 'rule', 'the reward rule'),
      (null, 'rule_number', 'the number of the rule in its outcome'),
      (null, 'run_id', 'the number of the run'),
      (null, 'seconds_left', 'estimated time left, in seconds; null if not known'),
      (null, 'settled_at', 'when the period was settled; null before'),
      (null, 'slice', 'the slice of the step; empty for the whole step'),
      (null, 'stack', 'the stack trace of the failure, for developers'),
      (null, 'started_at', 'the start'),
      (null, 'starts_at', 'the start of the period'),
      (null, 'state',
        '`open`, `sealed`, `filled`, `held`, `rejected`, `approved`, `settled` or `expired`'),
      (null, 'status',
        '`in force`, `superseded`, `approved`, `rejected`, `undecided` or `computed`'),
      (null, 'step', 'the step'),
      (null, 'then_by', 'the second key that breaks ties; 0 if the board has none'),
      (null, 'tier', 'the tier of the board, from 1 at the top'),
      (null, 'to_board', 'the board of that tier in the same period; null if none had one'),
      (null, 'to_kind', 'the kind of the account that the amount enters'),
      (null, 'to_name', 'the account that the amount enters'),
      (null, 'to_tier', 'the tier that the member moves to'),
      (null, 'total', 'how many units there are; null if not known'),
      (null, 'transfers', 'how many transfers'),
      (null, 'unit', 'what is counted, in the plural; empty if nothing is'),
      (null, 'verdict_reason', 'why it was approved or rejected'),
      ('entry', 'amount', 'below zero if the amount leaves the account'),
      ('account_statement', 'amount', 'below zero if the amount leaves the account'),
      ('trial_balance_summary', 'account', 'the house account; null for members and debts'),
      ('trial_balance_summary', 'accounts', 'how many accounts'),
      ('period_transfers', 'amount', 'the sum of the transfers'),
      ('period_overview', 'points', 'the sum of the members'' points; null before the seal'),
      ('period_overview', 'members', 'how many members were sealed; null before the seal'),
      ('period_overview', 'revision', 'the revision in force; 1 before the period is settled'),
      ('palmares_revision', 'awards',
        'what the member gets by each rule, in all currencies; null if nothing, or not posted'),
      ('palmares_revision', 'credits',
        'what the member gets in the currency `credits`; 0 if nothing, null if not posted'),
      ('palmares_revision', 'other_prizes',
        'what the member gets in each other currency; null if nothing, or not posted'),
      ('loss_overview', 'kind', '`no-time`, `equal-time` or `coarse-time`'),
      ('loss_overview', 'points', 'the points of each member of the group'),
      ('loss_overview', 'reached_at', 'the time of the group; null if not known'),
      ('loss_line', 'kind', '`no-time`, `equal-time` or `coarse-time`'),
      ('step_overview', 'ended_at',
        'the end; null while it goes on, and if the run ended before it'),
      ('run_overview', 'step', 'the last step that it reached; null if none'),
      ('run_overview', 'outcome',
        '`running`, `settled`, `held`, `failed` or `abandoned`'))
    select relation.relname as view, attribute.attname as field, meaning.text
    from pg_class relation
    join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attnum > 0
    cross join lateral (
      select text from meaning
      where meaning.field = attribute.attname and coalesce(meaning.view, relname) = relname
      order by meaning.view nulls last
      limit 1) meaning
    where relation.relnamespace = current_schema()::regnamespace
      and relation.relkind = 'v'
      and obj_description(relation.oid, 'pg_class') is not null
  loop
    execute format('comment on column %I.%I is %L',
      described.view, described.field, described.text);
  end loop;
end $$;

-- Creates the role if this may be done. A role belongs to all databases of a server, and another
-- of them may create it at the same time.
do $$
begin
  if not exists (select from pg_roles where rolname = 'palmares_read') then
    create role palmares_read nologin;
  end if;
exception when insufficient_privilege or duplicate_object or unique_violation then
  raise notice 'the role palmares_read was not created: %', sqlerrm;
end $$;

-- Lets the role read the views above, once it exists. If an administrator creates it later, the
-- owner of the views calls this by hand.
create or replace function grant_views() returns void language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  name text;
begin
  if exists (select from pg_roles where rolname = 'palmares_read') then
    execute format('grant usage on schema %I to palmares_read', current_schema());
    for name in
      select relname from pg_class
      where relnamespace = current_schema()::regnamespace
        and relkind = 'v'
        and obj_description(oid, 'pg_class') is not null
    loop
      execute format('grant select on %I to palmares_read', name);
    end loop;
  end if;
end $$;

select grant_views();
