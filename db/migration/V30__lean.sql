drop view palmares, palmares_revision, account_statement, trial_balance_summary, trial_balance,
  period_transfers, loss_line, tier_overview, payable, basis, approver, shaper cascade;
drop table acknowledged_loss_line;
drop table award, entry, transfer, account, standing, snapshot, snapshot_slice cascade;
drop function require_fence, require_balance, refuse_change, require_line, require_no_award,
  require_own_table, require_currency, require_line_of_move() cascade;
drop function require_no_move() cascade;

alter table period drop constraint "a period has a known state",
  add constraint "a period has a known state" check (state in (
    'open', 'sealed', 'filled', 'held', 'rejected', 'approved', 'settled', 'expired'));

-- Numbers of outcomes: those that share tables count down from -1, those with tables of their own
-- count up from 1.
create sequence shared_outcome increment -1 maxvalue -1 start -1;
create sequence own_outcome minvalue 1;

alter table revision
  add column id int not null unique,
  add column fence bigint,
  add column lines bigint,
  add column line_sum numeric,
  add column payments bigint,
  add column payment_sum numeric,
  add column filled_at timestamptz,
  add constraint "what is filled is counted" check (
    (filled_at is null) = (lines is null)
    and (filled_at is null) = (line_sum is null)
    and (filled_at is null) = (payments is null)
    and (filled_at is null) = (payment_sum is null)),
  add constraint "only what is filled is posted" check (
    posted_at is null or filled_at is not null),
  add constraint "a posting is fenced" check ((posted_at is null) = (fence is null));

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

create table line (
  reached_at timestamptz,
  points bigint not null,
  then_by bigint,
  arrival bigint,
  outcome int not null,
  place int,
  rank int,
  member text collate "C" not null,
  constraint "points are not negative" check (points >= 0),
  constraint "the second key is not negative" check (then_by >= 0),
  constraint "places count from one" check (place >= 1),
  constraint "a rank is never worse than the place" check (
    rank is null or rank between 1 and place)
) partition by range (outcome);
create table line_shared (like line including constraints);
alter table line attach partition line_shared for values from (minvalue) to (0);
create unique index "a place is taken once in an outcome" on line_shared (outcome, place);
create unique index "a member has one line in an outcome" on line_shared (member, outcome);

create table payment (
  amount bigint not null,
  outcome int not null,
  rule smallint not null,
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

-- The laws.

create function line_hash(
  place int, rank int, points bigint, then_by bigint, arrival bigint, reached_at timestamptz,
  member text) returns bigint language sql stable parallel safe
as $$
  select first_of_sha256(concat_ws('|', coalesce(place, 0), coalesce(rank, 0), points,
    coalesce(then_by, 0), coalesce(arrival, 0), coalesce(micros(reached_at), 0), member))
$$;

create function event_hash(e event) returns bigint language sql stable parallel safe
as $$
  select first_of_sha256(concat_ws('|', e.seq, e.outcome, e.quantity, e.points,
    quote_nullable(e.value), e.then_by, quote_nullable(e.digest), quote_nullable(e.action),
    micros(e.occurred_at), quote_nullable(e.subject), quote_nullable(e.id), e.member))
$$;

create function payment_hash(rule smallint, purpose smallint, amount bigint, member text)
  returns bigint language sql stable parallel safe
as $$ select first_of_sha256(concat_ws('|', rule, purpose, amount, member)) $$;

-- Rows go into an outcome, and out of it, only before it is posted, and only in a transaction that
-- holds the present lease of its period. What is rejected is never posted.
create function require_open(touched int[]) returns void language plpgsql as $$
declare
  refused record;
begin
  perform from period
    where id in (
      select period_id from revision
      where id = any(touched) and verdict is distinct from 'rejected')
    for share;
  select touch.id, revision.posted_at, period.id as period_id, period.fence into refused
    from unnest(touched) as touch (id)
    left join revision on revision.id = touch.id
    left join period on period.id = revision.period_id
    where revision.id is null
      or revision.posted_at is not null
      or (verdict is distinct from 'rejected'
        and period.fence::text is distinct from current_setting('palmares.fence', true))
    limit 1;
  if not found then
    return;
  end if;
  if refused.period_id is null then
    raise exception 'there is no outcome %', refused.id
      using errcode = 'integrity_constraint_violation';
  end if;
  if refused.posted_at is not null then
    raise exception 'outcome % is posted: its lines and payments are never edited', refused.id
      using errcode = 'integrity_constraint_violation';
  end if;
  raise exception 'stale owner: the transaction does not hold lease % of period %',
    refused.fence, refused.period_id
    using errcode = 'integrity_constraint_violation';
end $$;

create function guard_touched() returns trigger language plpgsql as $$
begin
  perform require_open(array(select distinct outcome from touched));
  return null;
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what is settled is never edited: % of % refused', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

create function guard_rows(rows text) returns void language plpgsql as $$
begin
  execute format(
    'create trigger "rows go into an open outcome" after insert on %I
      referencing new table as touched for each statement execute function guard_touched()',
    rows);
  execute format(
    'create trigger "rows leave an open outcome" after delete on %I
      referencing old table as touched for each statement execute function guard_touched()',
    rows);
  execute format(
    'create trigger "a row is never edited" before update or truncate on %I
      for each statement execute function refuse_change()',
    rows);
  execute format(
    'alter table %I enable always trigger "rows go into an open outcome",
      enable always trigger "rows leave an open outcome",
      enable always trigger "a row is never edited"', rows);
end $$;
select guard_rows(rows)
  from unnest(array['line', 'line_shared', 'payment', 'payment_shared']) as guarded (rows);

-- A big outcome has tables of its own: filled without indexes, given their indexes once, and
-- attached as partitions when they are whole. Partitions are grouped by 256 numbers, so that
-- attaching one never looks at all of history.
create function guard_own() returns trigger language plpgsql as $$
begin
  perform require_open(array[tg_argv[0]::int]);
  return null;
end $$;

create function make_outcome_tables(outcome int) returns void language plpgsql as $$
declare
  rows text;
begin
  foreach rows in array array['line', 'payment'] loop
    execute format(
      'create table %1$s_%2$s (like %1$s including constraints,
        constraint "rows are of one outcome" check (
          outcome is not null and outcome >= %2$s and outcome < %3$s))
        with (autovacuum_enabled = off)',
      rows, outcome, outcome + 1);
  end loop;
end $$;

-- Nothing else reads them before they are attached.
create function drop_outcome_tables(outcome int) returns void language plpgsql as $$
begin
  execute format('drop table if exists line_%1$s, payment_%1$s', outcome);
end $$;

create function index_outcome_table(rows text, outcome int, columns text)
  returns void language plpgsql
  set maintenance_work_mem = '256MB'
  set max_parallel_maintenance_workers = 0
as $$
begin
  execute format('create unique index on %s_%s (%s)', rows, outcome, columns);
end $$;

create function attach_outcome_tables(outcome int) returns void language plpgsql as $$
declare
  rows text;
  own text;
  volume text;
  first int := (outcome - 1) / 256 * 256 + 1;
begin
  foreach rows in array array['line', 'payment'] loop
    own := rows || '_' || outcome;
    volume := rows || '_from_' || first;
    if to_regclass(volume) is null then
      perform pg_advisory_xact_lock(hashtextextended('volume of outcomes', first));
    end if;
    if to_regclass(volume) is null then
      execute format('create table %s (like %s including constraints) partition by range (outcome)',
        volume, rows);
      perform guard_rows(volume);
      execute format('alter table %s attach partition %s for values from (%s) to (%s)',
        rows, volume, first, first + 256);
    end if;
    execute format(
      'create trigger "rows go into and leave an open outcome" before insert or delete on %s
        for each statement execute function guard_own(%s)', own, outcome);
    execute format(
      'create trigger "a row is never edited" before update or truncate on %s
        for each statement execute function refuse_change()', own);
    execute format(
      'alter table %s enable always trigger "rows go into and leave an open outcome",
        enable always trigger "a row is never edited"', own);
    execute format('analyze %s', own);
    execute format('alter table %s attach partition %s for values from (%s) to (%s)',
      volume, own, outcome, outcome + 1);
  end loop;
end $$;

-- The one statement that moves money: by the present lease, once, and only what was counted and
-- proved when the outcome was filled.
create function require_whole() returns trigger language plpgsql as $$
declare
  present bigint;
  stored record;
begin
  if old.posted_at is not null then
    raise exception 'outcome % is posted: it is never edited', old.id
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.posted_at is null then
    return new;
  end if;
  select fence into present from period where id = new.period_id for no key update;
  if new.fence is distinct from present then
    raise exception 'stale owner: fence % of period % is over, the present one is %',
      new.fence, new.period_id, present
      using errcode = 'integrity_constraint_violation';
  end if;
  execute format($sql$
    select lines, line_sum, payments, payment_sum
    from (
      select count(*) as lines, coalesce(sum(line_hash(
        place, rank, points, then_by, arrival, reached_at, member)), 0) as line_sum
      from line where outcome = %1$s
    ) line, (
      select count(*) as payments, coalesce(sum(payment_hash(
        rule, purpose, amount, member)), 0) as payment_sum
      from payment where outcome = %1$s
    ) payment
    $sql$, new.id) into stored;
  if (stored.lines, stored.line_sum, stored.payments, stored.payment_sum)
      is distinct from (new.lines, new.line_sum, new.payments, new.payment_sum) then
    raise exception
      'outcome % is not what was filled: % lines of % and % payments of % are stored, or others',
      new.id, stored.lines, new.lines, stored.payments, new.payments
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger "an outcome is posted once, whole, by its owner" before update on revision
  for each row execute function require_whole();
create trigger "a posted outcome stays" before delete on revision
  for each row when (old.posted_at is not null) execute function refuse_change();
create trigger "outcomes are never emptied" before truncate on revision
  for each statement execute function refuse_change();
alter table revision enable always trigger "an outcome is posted once, whole, by its owner";
alter table revision enable always trigger "a posted outcome stays";
alter table revision enable always trigger "outcomes are never emptied";

-- What people read.

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
select revision.period_id, revision.revision, line.place, line.rank::bigint as rank, line.member, line.points,
  line.reached_at, coalesce(line.then_by, 0) as then_by, coalesce(line.arrival, 0) as arrival,
  revision.id as outcome
from revision
join line on line.outcome = revision.id
where line.place is not null;

-- What an outcome adds to a member's awards by each rule, or takes from them; posted or not. The first
-- outcome of a period adds all of them, an amendment the differences only.
create view award_change as
select payment.outcome, payment.member, prize.name as rule, prize.currency,
  case when payment.purpose in (1, 5) then payment.amount else -payment.amount end as credits
from payment
join prize on prize.outcome = payment.outcome and prize.rule = payment.rule;

-- The outcomes whose changes make up the awards of an outcome: itself, and the posted ones before it.
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
select payment.period_id, payment.revision, payment.member, prize.name as rule,
  (array['award', 'return', 'debt', 'write-off', 'restored'])[purpose] as purpose,
  case purpose when 2 then 'member' when 3 then 'debt' else 'house' end as from_kind,
  case purpose
    when 2 then payment.member
    when 3 then payment.member
    when 4 then 'write-offs:' || period.board
    else 'rewards:' || period.board
  end as from_name,
  case when purpose = 1 then 'member' when purpose = 5 and owed = 'debt' then 'debt' else 'house'
    end as to_kind,
  case
    when purpose = 1 or purpose = 5 and owed = 'debt' then payment.member
    when purpose = 5 then 'write-offs:' || period.board
    else 'rewards:' || period.board
  end as to_name,
  prize.currency, payment.amount, payment.posted_at, period.board, period.name as period,
  payment.outcome, payment.rule as rule_number, payment.purpose as purpose_number
from posted_payment payment
join period on period.id = payment.period_id
join prize on prize.outcome = payment.outcome and prize.rule = payment.rule;

-- Both sides of each transfer: entries sum to zero in each currency.
create view entry as
select transfer.*, side.kind, side.account, side.booked, side.other_kind, side.other_account
from transfer
cross join lateral (values
  (from_kind, from_name, -amount, to_kind, to_name),
  (to_kind, to_name, amount, from_kind, from_name)
) as side (kind, account, booked, other_kind, other_account);

create view account_statement as
select kind, account, currency, posted_at, board, period, revision, member, rule, purpose,
  booked as amount, other_kind, other_account, outcome, rule_number, purpose_number
from entry;

create view trial_balance as
select kind, account, currency, sum(booked) as balance from entry group by kind, account, currency;

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

-- The members that a loss is about, in the revision that stands.
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

-- Whether the member is placed in an outcome. It plans for the tables of that outcome alone, which a
-- join could not.
create function has_place(outcome int, member text) returns boolean language plpgsql stable as $$
declare
  found boolean;
begin
  execute format(
    'select exists (select from line where outcome = %s and member = $1 and place is not null)',
    outcome)
    into found using member;
  return found;
end $$;

-- Who shaped the outcome of a revision, and how: by an exclusion or a lifting that made a difference to
-- one of its members, a correction, a decision on a late event or on ties, or by asking for it. What
-- shaped a posted revision shapes all that amend it.
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
  where has_place(revision.id, exclusion.member)
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

-- The people who stand behind a revision: who approved it, and who closed the period by hand. Nobody
-- who shaped it counts.
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

-- What people read: moves by the revisions that stand.
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
where period.state in ('settled', 'expired');

-- Final lines of every revision, those that wait or were rejected too.
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
    where award.outcome = standing.outcome
      and award.member = standing.member
  ) as awards,
  standing.outcome
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
    where award.outcome = standing.outcome
      and award.member = standing.member
    group by currency
  ) by_currency
) awarded;

-- Final lines of settled periods, in the revision that stands. Credits are looked up line by line,
-- so that a few lines of a big board cost a few look-ups.
create view palmares as
select * from palmares_revision where stands;

-- Every revision of every period, for people: who made it, why, and what became of it.
create or replace view revision_overview as
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
  revision.posted_at,
  revision.id as outcome
from revision
join period on period.id = revision.period_id;
