-- The laws that constraints cannot state: functions and triggers, grouped by what they guard. Runs
-- again whenever this file changes, so each statement replaces what is there.
--
-- A trigger that is enabled "always" also fires if session_replication_role is replica. Laws over
-- many rows are checked once per statement, by a few joins. Their functions set force_custom_plan,
-- since a plan made when the tables were small does not suit a million rows.

-- ---- Checksums

-- The first eight bytes of a text's SHA-256, which manifests add up. Neither this function nor
-- micros is immutable, so that calls of them are inlined.
do $$
begin
  if current_setting('server_version_num')::int >= 180000 then
    create or replace function first_of_sha256(line text) returns bigint
      language sql stable parallel safe
      as 'select substring(sha256(convert_to(line, ''UTF8'')) for 8)::bigint';
  else
    create or replace function first_of_sha256(line text) returns bigint
      language sql stable parallel safe
      as 'select (''x'' || encode(substring(sha256(convert_to(line, ''UTF8'')) for 8), ''hex''))
        ::bit(64)::bigint';
  end if;
end $$;

-- Microseconds since 1970. Until 2100 binary floating point is exact enough: it errs by less than
-- half a microsecond, and is faster.
create or replace function micros(at timestamptz) returns bigint
  language sql stable parallel safe
  as 'select case
    when at >= ''1970-01-01Z'' and at < ''2100-01-01Z''
      then (date_part(''epoch'', at) * 1000000)::bigint
    else (extract(epoch from at) * 1000000)::bigint
  end';

-- ---- What is never edited

-- Refuses any change of the ledger.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is never edited: % of % refused; post a new transfer instead',
    tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

-- Refuses any change of other records that are only inserted.
create or replace function refuse_edit() returns trigger language plpgsql as $$
begin
  raise exception '% of % refused: what is written there stands for ever', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

create or replace trigger "an account is never edited" before update or delete on account
  for each statement execute function refuse_change();
create or replace trigger "accounts are never emptied" before truncate on account
  for each statement execute function refuse_change();
create or replace trigger "a transfer is never edited"
  before update or delete or truncate on transfer
  for each statement execute function refuse_change();
create or replace trigger "an entry is never edited" before update or delete or truncate on entry
  for each statement execute function refuse_change();
create or replace trigger "an act is never edited" before update or delete or truncate on act
  for each statement execute function refuse_edit();
create or replace trigger "an act's link is never edited"
  before update or delete or truncate on act_link
  for each statement execute function refuse_edit();
create or replace trigger "a manifest is never edited"
  before update or delete or truncate on manifest
  for each statement execute function refuse_edit();
create or replace trigger "a manifest's link is never edited"
  before update or delete or truncate on manifest_link
  for each statement execute function refuse_edit();
create or replace trigger "an acknowledged loss is never edited"
  before update or delete or truncate on acknowledged_loss
  for each statement execute function refuse_edit();
create or replace trigger "an acknowledged loss line is never edited"
  before update or delete or truncate on acknowledged_loss_line
  for each statement execute function refuse_edit();

alter table account enable always trigger "an account is never edited";
alter table account enable always trigger "accounts are never emptied";
alter table transfer enable always trigger "a transfer is never edited";
alter table entry enable always trigger "an entry is never edited";
alter table act enable always trigger "an act is never edited";
alter table act_link enable always trigger "an act's link is never edited";
alter table manifest enable always trigger "a manifest is never edited";
alter table manifest_link enable always trigger "a manifest's link is never edited";
alter table acknowledged_loss enable always trigger "an acknowledged loss is never edited";
alter table acknowledged_loss_line
  enable always trigger "an acknowledged loss line is never edited";

-- ---- Periods

create or replace function refuse_sealed_edit() returns trigger language plpgsql as $$
begin
  raise exception
    'the sealed figures of period % are never edited: % members, % points, % events',
    old.id, old.sealed_members, old.sealed_points, old.sealed_events
    using errcode = 'integrity_constraint_violation';
end $$;

create or replace trigger "sealed figures are never edited" before update on period
  for each row
  when (old.sealed_at is not null
    and (old.sealed_at, old.sealed_members, old.sealed_points, old.sealed_events)
      is distinct from
        (new.sealed_at, new.sealed_members, new.sealed_points, new.sealed_events))
  execute function refuse_sealed_edit();
alter table period enable always trigger "sealed figures are never edited";

create or replace function require_acknowledged_loss() returns trigger language plpgsql as $$
begin
  if old.state not in ('sealed', 'snapshotted') or new.state <> 'sealed' then
    raise exception 'the population of period % cannot change any more: it is %', old.id, old.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if (new.rebuilt_members < new.sealed_members
        or new.rebuilt_points < new.sealed_points
        or new.rebuilt_events < new.sealed_events)
      and not exists (
        select from acknowledged_loss loss
        where loss.period_id = new.id
          and (loss.members, loss.points, loss.events)
            = (new.rebuilt_members, new.rebuilt_points, new.rebuilt_events)) then
    raise exception 'nobody has acknowledged what period % lost after it was sealed', old.id
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create or replace trigger "a loss is acknowledged before it counts" before update on period
  for each row
  when ((old.rebuilt_members, old.rebuilt_points, old.rebuilt_events)
    is distinct from (new.rebuilt_members, new.rebuilt_points, new.rebuilt_events))
  execute function require_acknowledged_loss();
alter table period enable always trigger "a loss is acknowledged before it counts";

-- ---- Exclusions

-- How strong a level is: the smallest number wins.
create or replace function strength(level text) returns int language sql immutable
return case level when 'hidden' then 1 when 'unranked' then 2 else 3 end;

-- The time of a freeze: later than all exclusions and liftings made before it; those made after it
-- get later times. This holds whatever the clocks of the processes say. The lock is held for this
-- function only, not until the ranking ends.
create or replace function begin_freeze(present timestamptz) returns timestamptz
language plpgsql as $$
declare
  key constant bigint := hashtextextended('exclusions', 0);
  moment timestamptz;
begin
  perform pg_advisory_lock(key);
  begin
    select greatest(
        present,
        timestamptz 'epoch' + (last_value + 1) * interval '1 microsecond',
        made + interval '1 microsecond')
      into moment
      from freeze_clock, (
        select greatest(max(made_at), max(lifted_at)) as made from exclusion) latest;
    perform setval('freeze_clock', (extract(epoch from moment) * 1000000)::bigint);
  exception when query_canceled or others then
    perform pg_advisory_unlock(key);
    raise;
  end;
  perform pg_advisory_unlock(key);
  return moment;
end $$;

-- The time of an exclusion or a lifting: later than all freezes. Until the transaction ends, there
-- is no other one and no freeze.
create or replace function begin_exclusion(present timestamptz) returns timestamptz
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('exclusions', 0));
  return (
    select greatest(present, timestamptz 'epoch' + (last_value + 1) * interval '1 microsecond')
    from freeze_clock);
end $$;

create or replace function refuse_exclusion_edit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
      and old.lifted_at is null
      and to_jsonb(new) - array['lifted_by', 'lifted_at', 'lift_reason']
        = to_jsonb(old) - array['lifted_by', 'lifted_at', 'lift_reason']
  then
    return new;
  end if;
  raise exception '% of exclusion % refused: it is lifted, once, and never edited', tg_op, old.id
    using errcode = 'integrity_constraint_violation';
end $$;

create or replace trigger "an exclusion is lifted and never edited"
  before update or delete on exclusion
  for each row execute function refuse_exclusion_edit();
create or replace trigger "exclusions are never emptied" before truncate on exclusion
  for each statement execute function refuse_edit();
alter table exclusion enable always trigger "an exclusion is lifted and never edited";
alter table exclusion enable always trigger "exclusions are never emptied";

-- ---- Revisions

-- An amendment is computed from the snapshot.
create or replace function refuse_archived() returns trigger language plpgsql as $$
begin
  if exists (select from period where id = new.period_id and archived_at is not null) then
    raise exception
      'the journal and snapshot of period % are archived in files: it cannot be amended any more',
      new.period_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create or replace trigger "an archived period is never amended" before insert on revision
  for each row execute function refuse_archived();
alter table revision enable always trigger "an archived period is never amended";

-- Runs in the transaction that posts.
create or replace function require_approvers() returns trigger language plpgsql as $$
begin
  if (
    select count(*) from approver
    where period_id = new.period_id and revision = new.revision) < 2
  then
    raise exception 'posting of revision % of period % refused: two people must approve it',
      new.revision, new.period_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create or replace trigger "two people approve what needs two" after update of posted_at on revision
  for each row when (new.two_person and old.posted_at is null and new.posted_at is not null)
  execute function require_approvers();

-- ---- Lines, and what refers to them
--
-- These functions loop over the outcomes of a statement. With an outcome's numbers as constants,
-- the planner reads no row of another period. A foreign key would look up each row on its own.

create or replace function require_line() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan
set enable_mergejoin = off -- a merge would read the index of all lines
as $$
declare
  outcome record;
  stray record;
begin
  for outcome in select distinct period_id, revision from added loop
    select added.* into stray
      from added
      left join standing
        on standing.period_id = outcome.period_id
        and standing.revision = outcome.revision
        and standing.member = added.member
      where (added.period_id, added.revision) = (outcome.period_id, outcome.revision)
        and standing.place is null
      limit 1;
    if found then
      raise exception 'award of % by % refused: no such line in revision % of period %',
        stray.member, stray.rule, stray.revision, stray.period_id
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;

create or replace trigger "an award is of a line" after insert on award
  referencing new table as added for each statement execute function require_line();
create or replace trigger "a changed award is of a line" after update on award
  referencing new table as added for each statement execute function require_line();

create or replace function require_no_award() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  outcome record;
  left_over record;
begin
  for outcome in select distinct period_id, revision from gone loop
    select award.* into left_over
      from gone
      join award
        on award.period_id = outcome.period_id
        and award.revision = outcome.revision
        and award.member = gone.member
      left join standing
        on standing.period_id = outcome.period_id
        and standing.revision = outcome.revision
        and standing.member = gone.member
      where (gone.period_id, gone.revision) = (outcome.period_id, outcome.revision)
        and standing.place is null
      limit 1;
    if found then
      raise exception 'line of % refused to go: % credits by % are awarded to it',
        left_over.member, left_over.credits, left_over.rule
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;

create or replace trigger "a line with awards stays" after delete on standing
  referencing old table as gone for each statement execute function require_no_award();
create or replace trigger "a line with awards keeps its name" after update on standing
  referencing old table as gone for each statement execute function require_no_award();

create or replace function require_line_of_move() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  outcome record;
  stray record;
begin
  for outcome in select distinct period_id, revision from added loop
    select added.* into stray
      from added
      left join standing
        on standing.period_id = outcome.period_id
        and standing.revision = outcome.revision
        and standing.member = added.member
      where (added.period_id, added.revision) = (outcome.period_id, outcome.revision)
        and standing.place is null
      limit 1;
    if found then
      raise exception 'move of % refused: no such line in revision % of period %',
        stray.member, stray.revision, stray.period_id
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;

create or replace trigger "a move is of a line" after insert on tier_move
  referencing new table as added for each statement execute function require_line_of_move();
create or replace trigger "a changed move is of a line" after update on tier_move
  referencing new table as added for each statement execute function require_line_of_move();

create or replace function require_no_move() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  outcome record;
  left_over record;
begin
  for outcome in select distinct period_id, revision from gone loop
    select tier_move.* into left_over
      from gone
      join tier_move
        on tier_move.period_id = outcome.period_id
        and tier_move.revision = outcome.revision
        and tier_move.member = gone.member
      left join standing
        on standing.period_id = outcome.period_id
        and standing.revision = outcome.revision
        and standing.member = gone.member
      where (gone.period_id, gone.revision) = (outcome.period_id, outcome.revision)
        and standing.place is null
      limit 1;
    if found then
      raise exception 'line of % refused to go: it moves to tier %',
        left_over.member, left_over.to_tier
        using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end $$;

create or replace trigger "a line with moves stays" after delete on standing
  referencing old table as gone for each statement execute function require_no_move();
create or replace trigger "a line with moves keeps its name" after update on standing
  referencing old table as gone for each statement execute function require_no_move();

-- The planner would look at all rows' currencies one by one, unless it must find the few that
-- differ first.
create or replace function require_currency() returns trigger language plpgsql as $$
declare
  nameless text;
begin
  with used as materialized (
    select distinct currency from added
  )
  select currency into nameless
    from used
    where currency !~ '^[a-z0-9][a-z0-9-]{0,39}$'
    limit 1;
  if found then
    raise exception 'award refused: % is no name of a currency', nameless
      using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace trigger "a currency has a name" after insert on award
  referencing new table as added for each statement execute function require_currency();
create or replace trigger "a changed currency has a name" after update on award
  referencing new table as added for each statement execute function require_currency();

-- ---- The ledger

-- Only the present holder of a period's lease posts its transfers. The row lock keeps it the holder
-- until the transaction ends.
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

create or replace trigger "a transfer is posted by the period's owner" after insert on transfer
  referencing new table as added for each statement execute function require_fence();
alter table transfer enable always trigger "a transfer is posted by the period's owner";

-- A rule pays a member once in a revision, whichever table holds the payment: if a period has a
-- transfer table of its own, all transfers of its first revision are in that table.
create or replace function require_own_table() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  astray bigint;
begin
  select period_id into astray
    from (select distinct period_id from added where revision = 1) first
    where to_regclass('transfer_' || period_id) is not null
    limit 1;
  if astray is not null and tg_table_name <> 'transfer_' || astray then
    raise exception 'transfers of period % stand in a table of its own, transfer_%', astray, astray
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create or replace trigger "transfers of a big period stand together" after insert on transfer
  referencing new table as added for each statement execute function require_own_table();
alter table transfer enable always trigger "transfers of a big period stand together";

-- The two entries of a transfer are inserted by one statement: its amount out of one account and
-- into the other. The primary key refuses a third.
create or replace function require_balance() returns trigger language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  torn bigint;
begin
  -- Entries in a period's own table belong to the transfers in its own table, and those in the
  -- shared table to the shared table's.
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

create or replace trigger "entries of a transfer balance" after insert on entry
  referencing new table as added for each statement execute function require_balance();
alter table entry enable always trigger "entries of a transfer balance";

-- ---- The chains of acts and of manifests
--
-- The triggers run when the transaction commits, after all of its work. So the lock of a chain is
-- held for a moment only, no matter how long the transaction took.

create or replace function hash_of(act, former text) returns text language sql stable as $$
  select encode(sha256(convert_to(concat_ws('|',
    former,
    (extract(epoch from $1.at) * 1000000)::bigint,
    quote_nullable($1.by),
    quote_nullable($1.verb),
    quote_nullable($1.board),
    quote_nullable($1.period),
    quote_nullable($1.revision),
    quote_nullable($1.member),
    quote_nullable($1.reason)), 'UTF8')), 'hex')
$$;

create or replace function link_act() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('chain of acts', 0));
  insert into act_link (act_id, hash)
  select new.id, hash_of(new, coalesce((select hash from act_link order by n desc limit 1), ''));
  return null;
end $$;

-- PostgreSQL does not replace constraint triggers.
drop trigger if exists "an act is linked to the one before it" on act;
create constraint trigger "an act is linked to the one before it" after insert on act
  deferrable initially deferred for each row execute function link_act();

create or replace function hash_of(link manifest_link, former text) returns text
language sql stable as $$
  select encode(sha256(convert_to(concat_ws('|',
    former,
    quote_nullable($1.board),
    quote_nullable($1.period),
    $1.period_id,
    $1.revision,
    $1.manifest_hash), 'UTF8')), 'hex')
$$;

create or replace function link_manifest() returns trigger language plpgsql as $$
declare
  link manifest_link;
begin
  perform pg_advisory_xact_lock(hashtextextended('chain of manifests', 0));
  select null, board, name, new.period_id, new.revision, new.hash, null into link
    from period where id = new.period_id;
  insert into manifest_link (board, period, period_id, revision, manifest_hash, hash)
  select link.board, link.period, link.period_id, link.revision, link.manifest_hash,
    hash_of(link, coalesce((select hash from manifest_link order by n desc limit 1), ''));
  return null;
end $$;

drop trigger if exists "a manifest is linked to the one before it" on manifest;
create constraint trigger "a manifest is linked to the one before it" after insert on manifest
  deferrable initially deferred for each row execute function link_manifest();
alter table manifest enable always trigger "a manifest is linked to the one before it";
