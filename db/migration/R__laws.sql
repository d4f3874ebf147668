-- The laws that constraints cannot state: functions and triggers, grouped by what they guard. Runs
-- again whenever this file changes, so each statement replaces what exists.
--
-- Laws over many rows are checked once per statement, by a few joins. Their functions set
-- force_custom_plan, since a plan made when the tables were small does not suit a million rows.
--
-- Each function sets its search path, or has a body that was bound when it was created: a backup that
-- is restored, and a worker of logical replication, have none. Bodies of single expressions are
-- bound, since a function with a setting is not inlined.
--
-- At the end enable_guards enables the triggers always: also if session_replication_role is replica.

-- ---- Months

-- The month of a period: that of just over half a day before its end on the clocks of the zone, or of
-- its middle if that is later, so that a day which begins at noon is of the month of its date.
-- The offsets of the zone are those of Java, which has set the boundaries: each, in seconds, from a
-- second since 1970.
create or replace function month_of(
  starts_at timestamptz, ends_at timestamptz, offsets_from bigint[], offsets bigint[])
returns timestamp
  language sql stable parallel safe
  return date_trunc(
    'month', (ends_at at time zone 'UTC')
      + offsets[width_bucket(floor(extract(epoch from ends_at))::bigint, offsets_from)]
        * interval '1 second'
      - interval '1 microsecond'
      - least(interval '12 hours', (ends_at - starts_at) / 2));

-- ---- States

-- What the states of a period mean. No other statement lists states, so that a state that is added
-- is forgotten nowhere. PeriodState says the same in Java.

create or replace function is_filled(state text) returns boolean
  language sql immutable parallel safe
  return state in ('filled', 'held', 'rejected', 'approved', 'settled', 'expired');

create or replace function is_settled(state text) returns boolean
  language sql immutable parallel safe
  return state in ('settled', 'expired');

create or replace function needs_person(state text) returns boolean
  language sql immutable parallel safe
  return state in ('held', 'rejected');

-- The outcome was ranked with exclusions that later ones do not change. A rejected one is computed
-- again.
create or replace function freezes_exclusions(state text) returns boolean
  language sql immutable parallel safe
  return state in ('filled', 'held', 'approved', 'settled', 'expired');

-- ---- Sentences

-- What Sentence is in JSON, without its text.
create or replace function said(code text, "values" jsonb default '{}') returns jsonb
  language sql stable parallel safe
  return jsonb_build_object('code', code, 'values', "values");

create or replace function exclusion_text(
  level text, board text, list text, starts_at timestamptz, ends_at timestamptz, by text,
  reason text)
returns jsonb
  language sql stable parallel safe
  return said('difference.exclusion', jsonb_build_object(
    'level', level,
    'scope', case when board is null and list is null then said('difference.every-board')
      else to_jsonb(array_remove(array[to_jsonb(board),
        case when list is not null then
          said('difference.list', jsonb_build_object('list', list)) end], null)) end,
    'from', coalesce(to_jsonb(starts_at), said('difference.ever')),
    'until', coalesce(to_jsonb(ends_at), said('difference.ever')),
    'by', by,
    'reason', reason));

-- ---- Checksums

-- first_of_sha256 is the first eight bytes of a SHA-256, which manifests add up. micros are
-- microseconds since 1970; PostgreSQL sends those since 2000. A server before 18 cannot cast bytes to
-- a number; for times until 2100, binary floating point is exact enough there: it errs by less than
-- half a microsecond, and is faster. None of these functions is immutable, so that calls of them are
-- inlined.
do $$
begin
  if current_setting('server_version_num')::int >= 180000 then
    create or replace function first_of_sha256(line bytea) returns bigint
      language sql stable parallel safe
      return substring(sha256(line) for 8)::bigint;
    create or replace function micros(at timestamptz) returns bigint
      language sql stable parallel safe
      return timestamptz_send(at)::bigint + 946684800000000;
  else
    create or replace function first_of_sha256(line bytea) returns bigint
      language sql stable parallel safe
      return ('x' || encode(substring(sha256(line) for 8), 'hex'))::bit(64)::bigint;
    create or replace function micros(at timestamptz) returns bigint
      language sql stable parallel safe
      return case
        when at >= '1970-01-01Z' and at < '2100-01-01Z'
          then (date_part('epoch', at) * 1000000)::bigint
        else (extract(epoch from at) * 1000000)::bigint
      end;
  end if;
end $$;

create or replace function first_of_sha256(line text) returns bigint
  language sql stable parallel safe
  return first_of_sha256(convert_to(line, 'UTF8'));

-- A hash of a member and three numbers, for sums that must be equal. Nobody who chooses the rows can
-- know the key, which is drawn when they are read. hashint8extended folds its first argument to 32
-- bits, but takes all bits of the second.
create or replace function keyed_hash(
  key bigint, member text, first bigint, second bigint, third bigint)
  returns bigint language sql stable parallel safe
  return hashtextextended(
    member, first # hashint8extended(0, second # hashint8extended(0, third # key)));

-- A sum of bigints that is a bigint: an overflow is an error. Its state is a value, so that a sum for
-- each of a million members takes a third less time, and half of the memory, than sum(bigint).
create or replace aggregate exact_sum(bigint) (
  sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = safe);

-- The sums of a manifest in one of its fields: awards-by-rule, or payments-by-purpose.
create or replace function manifest_sums(sums jsonb, field text)
returns table (name text, currency text, number bigint, amount numeric)
language sql immutable parallel safe
begin atomic
  select name, currency, number, amount
  from jsonb_to_recordset(sums -> field)
    as sum (name text, currency text, number bigint, amount numeric);
end;

-- A sum as the text of a manifest says it: podium credits: 3 awards, 1600
create or replace function sum_text(
  name text, currency text, number numeric, things text, amount numeric) returns text
  language sql immutable parallel safe
  return name || ' ' || currency || ': ' || number::text || ' ' || things || ', ' || amount::text;

-- A field of the text of a manifest. Only verification reads the text, to compare it.
create or replace function manifest_field(body text, field text) returns text
  language sql immutable parallel safe
  return substring(body from '(?n)^' || field || ': (.*)$');

-- The approvals of a revision, and the last acknowledged loss of a period, as a manifest has them.
create or replace function approvals_text(which bigint, its_revision int) returns text
  language sql stable
  set search_path = palmares, pg_temp
as $$
  select string_agg(
    format('%s at %s: %s', approval.by,
      to_char(approval.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), approval.reason),
    '; ' order by approval.at, approval.by collate "C")
  from approval
  where period_id = which and revision = its_revision
$$;

-- The losses that count: events that were given up, a seal or a settlement that PostgreSQL has
-- forgotten, and the last acceptance of what the sealed period lacks. One that a later rebuild did not need is no loss.
create or replace function loss_text(which bigint) returns text language sql stable
  set search_path = palmares, pg_temp
as $$
  select string_agg(
    format('%s members, %s points and %s events were left, as %s acknowledged at %s: %s',
      members, points, events, made_by,
      to_char(made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      concat_ws(': ', forgotten, given_up, reason)),
    '; ' order by loss.fence)
  from acknowledged_loss loss
  where loss.period_id = which
    and (missing_events > 0
      or forgotten is not null
      or loss.fence = (
        select max(latest.fence)
        from acknowledged_loss latest
        join period on period.id = latest.period_id
        where latest.period_id = which
          and (latest.members, latest.points, latest.events)
            = (rebuilt_members, rebuilt_points, rebuilt_events)))
$$;

-- SHA-256 of the names and numbers of imported periods, of which an audit entry has the first and
-- the last.
create or replace function imported_hash(periods text[]) returns text language sql immutable
  return encode(sha256(convert_to(array_to_string(periods, E'\n'), 'UTF8')), 'hex');

-- ---- Who acts

-- The person behind a name that acts: capitals and surrounding spaces do not matter, a person at a
-- shell of the server (local:ann) is that person (ann), and a key (key:shop) is its owner.
create or replace function person(by text) returns text language sql stable
  set search_path = palmares, pg_temp as $$
  select coalesce(
    (select owner from api_key where 'key:' || lower(name) = lower(btrim(by))),
    regexp_replace(lower(btrim(by)), '^local:', ''))
$$;

-- Whether a name is that of the user of a shell, or of a key that such a user made, or that such a
-- key made.
create or replace function is_local(by text) returns boolean language sql stable
  set search_path = palmares, pg_temp as $$
  with recursive maker as (
    select lower(btrim(by)) as name
    union
    select lower(btrim(created_by))
    from maker
    join api_key on 'key:' || lower(api_key.name) = maker.name
  )
  select exists (select from maker where name like 'local:%')
$$;

create or replace function may_approve_locally() returns boolean language sql stable
return not exists (select from approval_setting where not local_approvals);

-- Whether who began something at a time may still act in a role: the person is not disabled and has
-- it, as far as this database knows the person, and nobody has ended the person's sessions since; the
-- key is valid and has it. The user of a shell may always.
create or replace function may_act(by text, role text, since timestamptz, present timestamptz)
returns boolean language sql stable
  set search_path = palmares, pg_temp as $$
  select case
    when by like 'local:%' then true
    when by like 'key:%' then exists (
      select from api_key key
      join api_secret secret on secret.key = key.name
      where 'key:' || key.name = by
        and role = any(key.roles)
        and secret.revoked_at is null
        and (secret.expires_at is null or secret.expires_at > present)
        and not exists (
          select from person
          where person.name = key.owner
            and (disabled_at is not null
              or role <> all(person.roles) and (own or 'admin' <> all(person.roles)))))
    else not exists (
        select from person
        where person.name = by and (disabled_at is not null or role <> all(roles)))
      and not exists (select from ended_session where person = lower(by) and until >= since)
  end
$$;

-- Notifies every process that its copies of keys are outdated.
create or replace function announce_keys() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  notify palmares_keys;
  return null;
end $$;

create or replace trigger "a change of a key is announced"
  after insert or update or delete or truncate on api_key
  for each statement execute function announce_keys();
create or replace trigger "a change of a secret is announced"
  after insert or update or delete or truncate on api_secret
  for each statement execute function announce_keys();
-- A person's keys have no more roles than the person, and end with the person.
create or replace trigger "a change of a person is announced"
  after insert or update of roles, disabled_at or delete or truncate on person
  for each statement execute function announce_keys();

-- ---- Replicas

-- Whether a worker of logical replication applies rows here: the database that they come from has
-- checked them, and the rows that a check needs may arrive later. No other session can pretend it.
create or replace function is_replicated() returns boolean language sql stable
return current_setting('session_replication_role') = 'replica'
  and exists (select from pg_stat_get_subscription(null) where pid = pg_backend_pid());

-- The cluster, and the timeline of its WAL: a standby that is promoted begins another one. Empty if
-- the server does not say it, as Amazon Aurora, which has no WAL files.
create or replace function wal_history() returns text language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  return (select system_identifier from pg_control_system())
    || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when others then
  return '';
end $$;

-- ---- What is never edited

-- Refuses any change of the ledger.
create or replace function refuse_change() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  raise exception 'what is settled is never edited: % of % refused', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

-- Refuses any change of other records that are only inserted.
create or replace function refuse_edit() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  raise exception '% of % refused: rows are only inserted there', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

create or replace trigger "an audit entry is never edited"
  before update or delete or truncate on audit_entry
  for each statement execute function refuse_edit();
create or replace trigger "the link of an audit entry is never edited"
  before update or delete or truncate on audit_link
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

-- Refuses receipts of awards and returns that are not posted or have another amount, and any after a
-- final one. It names each outcome, so that PostgreSQL reads the payments of that outcome alone.
create or replace function require_award() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  of_outcome int;
  wrong text;
begin
  for of_outcome in select distinct outcome from added loop
    execute format($sql$
      select member from added
      where outcome = %1$s and (
        not exists (
          select from posted_payment paid
          where paid.outcome = %1$s and paid.member = added.member and paid.rule = added.rule
            and paid.amount = added.amount
            and (paid.purpose = 1 and added.result in ('credited', 'refused')
              or paid.purpose = 2 and added.result in ('returned', 'refused')))
        or n > 1 and not exists (
          select from receipt earlier
          where earlier.outcome = %1$s and earlier.rule = added.rule
            and earlier.member = added.member and earlier.n = added.n - 1
            and earlier.result = 'refused'))
      limit 1
      $sql$, of_outcome) into wrong;
    if wrong is not null then
      raise exception 'no posted award that is not credited has the amount of a receipt of %', wrong
        using errcode = 'integrity_constraint_violation';
    end if;
  end loop;
  return null;
end $$;

create or replace trigger "a receipt is of an award" after insert on receipt
  referencing new table as added
  for each statement execute function require_award();
create or replace trigger "a receipt is never edited" before update or delete or truncate on receipt
  for each statement execute function refuse_edit();

-- A change of the owner, or a program's key that becomes somebody's own, would let one person count
-- as two.
create or replace trigger "a key keeps its owner"
  before update of owner, name, own, created_by on api_key
  for each row when (
    (old.name, old.owner, old.own, old.created_by)
      is distinct from (new.name, new.owner, new.own, new.created_by))
  execute function refuse_edit();
create or replace trigger "a key is revoked, never removed" before delete or truncate on api_key
  for each statement execute function refuse_edit();

-- ---- Periods

create or replace function refuse_sealed_edit() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if is_replicated() then
    return new;
  end if;
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

-- Whether a rebuilt board lacks something of the sealed one. Each member has an event, so if all
-- events and points are there, sealed members in excess had none: their entries were forged.
create or replace function lacks_sealed(period) returns boolean language sql stable
  set search_path = palmares, pg_temp
as $$
  select $1.rebuilt_events < $1.sealed_events
    or $1.rebuilt_points < $1.sealed_points
    or $1.rebuilt_members < $1.sealed_members
      and ($1.rebuilt_events, $1.rebuilt_points) <> ($1.sealed_events, $1.sealed_points)
$$;

create or replace function require_acknowledged_loss() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if is_replicated() then
    return new;
  end if;
  if old.state <> 'sealed' or new.state <> 'sealed' then
    raise exception 'the population of period % cannot change any more: it is %', old.id, old.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if lacks_sealed(new)
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

-- ---- Exclusions

-- How strong a level is: the smallest number wins.
create or replace function strength(level text) returns int language sql immutable
return case level when 'hidden' then 1 when 'unranked' then 2 when 'no-prize' then 3 end;

-- The time of a freeze: later than all exclusions and liftings made before it; those made after it
-- get later times. The same holds for registrations. This does not depend on the clocks of the
-- processes. The locks are held for this function only, not until the ranking ends.
create or replace function begin_freeze(present timestamptz) returns timestamptz
language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  key constant bigint := hashtextextended('exclusions', 0);
  registrations constant bigint := hashtextextended('registrations', 0);
  moment timestamptz;
begin
  -- The locks are the session's: a statement that is cancelled between any two of these must not
  -- leave one. To release one that is not held is a warning only.
  begin
    perform pg_advisory_lock(key);
    perform pg_advisory_lock(registrations);
    select greatest(
        present,
        timestamptz 'epoch' + (last_value + 1) * interval '1 microsecond',
        made + interval '1 microsecond')
      into moment
      from freeze_clock, (
        select greatest(max(made_at), max(lifted_at)) as made from exclusion) latest;
    perform setval('freeze_clock', (extract(epoch from moment) * 1000000)::bigint);
    perform pg_advisory_unlock(registrations);
    perform pg_advisory_unlock(key);
  exception when query_canceled or others then
    perform pg_advisory_unlock(registrations);
    perform pg_advisory_unlock(key);
    raise;
  end;
  return moment;
end $$;

-- The time of a registration: later than all freezes. Until its transaction ends, there is no
-- freeze, but any number of other registrations.
create or replace function begin_registration(present timestamptz) returns timestamptz
language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('registrations', 0));
  return after_freezes(present);
end $$;

create or replace function after_freezes(present timestamptz) returns timestamptz
language sql volatile
  set search_path = palmares, pg_temp as $$
  select greatest(present, timestamptz 'epoch' + (last_value + 1) * interval '1 microsecond')
  from freeze_clock
$$;

-- The time of an exclusion or a lifting: later than all freezes. Until the transaction ends, there
-- is no other one and no freeze.
create or replace function begin_exclusion(present timestamptz) returns timestamptz
language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('exclusions', 0));
  return after_freezes(present);
end $$;

create or replace function refuse_exclusion_edit() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if is_replicated() then
    return coalesce(new, old);
  end if;
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

-- ---- Revisions

-- An amendment is computed from the journal as well.
create or replace function refuse_archived() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if is_replicated() then
    return new;
  end if;
  if exists (select from period where id = new.period_id and archived_at is not null) then
    raise exception
      'the journal of period % is archived in files: it cannot be amended any more',
      new.period_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create or replace trigger "an archived period is never amended" before insert on revision
  for each row execute function refuse_archived();

-- A key approves only for the person who made it for their own use. Who made a program's key may have
-- given it to anybody, so that it would let one person count as two.
create or replace function refuse_foreign_key() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if is_replicated() then
    return new;
  end if;
  if lower(btrim(new."by")) like 'key:%' and not exists (
    select from api_key
    where 'key:' || lower(name) = lower(btrim(new."by"))
      and own
      and owner = person(created_by))
  then
    raise exception
      'approval of revision % of period % refused: % is no key that its owner made for own use',
      new.revision, new.period_id, new."by"
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

-- The program asks the same before, with the settings of its process.
create or replace function refuse_local_approval() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if is_replicated() then
    return new;
  end if;
  if is_local(new."by") and not may_approve_locally() then
    raise exception
      'approval of revision % of period % refused: % is the user of a shell, and servers forbid that',
      new.revision, new.period_id, new."by"
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create or replace trigger "a shell approves only where servers allow it" before insert on approval
  for each row execute function refuse_local_approval();

create or replace trigger "a key approves for who made it" before insert on approval
  for each row execute function refuse_foreign_key();

-- Who shaped what needs two people never approves it, however the approval is stored.
create or replace function refuse_own_approval() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  shaped text;
begin
  if is_replicated() then
    return new;
  end if;
  select how into shaped
    from shaper join revision using (period_id, revision)
    where period_id = new.period_id
      and revision.revision = new.revision
      and two_person
      and name = person(new."by")
    limit 1;
  if found then
    raise exception 'approval of revision % of period % refused: % shaped the outcome (%)',
      new.revision, new.period_id, new."by", shaped
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create or replace trigger "who shaped an outcome does not approve it" before insert on approval
  for each row execute function refuse_own_approval();
create or replace trigger "an approval is never edited" before update on approval
  for each statement execute function refuse_edit();

-- Runs in the transaction that posts. The row of the period is locked by then, so that nobody
-- approves or restarts it meanwhile; exclusions count by the time of the freeze.
create or replace function require_approvers() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if is_replicated() then
    return null;
  end if;
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

-- ---- Outcomes: their lines and payments

-- Lines, payments and events are millions: numbers of eight bytes each, and then the texts, take
-- less time than a text of all columns does. textsend is faster than convert_to, too: it gives the
-- bytes that the session's client gets, which are always UTF-8 for JDBC. Most boards have neither
-- second keys nor arrivals; if a line has one, its points are inverted, and both follow. A time is
-- never taken for the start of a member, since no text has its first byte. The Java classes LineRows
-- and PaymentStream add up the same.
create or replace function line_hash(
  place int, rank int, points bigint, then_by bigint, arrival bigint, reached_at timestamptz,
  member text) returns bigint language sql stable parallel safe
  return first_of_sha256(
    int8send((coalesce(place, 0)::bigint << 32) | coalesce(rank, 0))
    || case when then_by <> 0 or arrival <> 0
      then int8send(~points) || int8send(coalesce(then_by, 0)) || int8send(coalesce(arrival, 0))
      else int8send(points) end
    || coalesce(timestamptz_send(reached_at), '')
    || textsend(member));

-- The texts are separated by a control character, which senders may not use: a text that had it would
-- add a separator. A text that may be missing begins with a sign if it is not missing.
create or replace function event_hash(e event) returns bigint language sql stable parallel safe
  return first_of_sha256(
    int8send(e.seq)
    || int8send(e.quantity)
    || int8send(e.points)
    || int8send(e.then_by)
    || timestamptz_send(e.occurred_at)
    || textsend(concat_ws(e'\x1f', e.outcome, coalesce(e.value::text, '-'),
      coalesce('=' || e.digest, '-'), e.action, coalesce('=' || e.subject, '-'), e.id, e.member)));

-- The entry of a live journal that has the event. The member's total after it is not known.
create or replace function journal_entry(e event) returns bytea language sql stable
  return convert_to(
    concat_ws(e'\x1f', e.id, e.member, e.action, coalesce(e.subject, ''), e.quantity,
      coalesce(e.value::text, ''), e.then_by,
      concat_ws(' ', e.outcome, e.points, e.points, micros(e.occurred_at), coalesce(e.digest, ''))),
    'UTF8');

create or replace function payment_hash(rule smallint, purpose smallint, amount bigint, member text)
  returns bigint language sql stable parallel safe
  return first_of_sha256(
    int8send((rule::bigint << 32) | purpose) || int8send(amount) || textsend(member));

-- Rows go into an outcome, and out of it, only before it is posted, and only in a transaction that
-- holds the present lease of its period. What is rejected is never posted.
create or replace function require_open(touched int[]) returns void language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  refused record;
begin
  if is_replicated() then
    return;
  end if;
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

create or replace function guard_touched() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  perform require_open(array(select distinct outcome from touched));
  return null;
end $$;

-- Enables the guards of a table always. A link or a notification is no guard: a replica gets the
-- links with the other rows.
create or replace function enable_guards(rows text) returns void language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  guard text;
begin
  for guard in
    select tgname from pg_trigger
    where tgrelid = rows::regclass
      and not tgisinternal
      and tgenabled <> 'A'
      and tgfoid not in (
        select oid from pg_proc
        where pronamespace = 'palmares'::regnamespace
          and proname in ('announce_keys', 'link_audit_entry', 'link_manifest'))
  loop
    execute format('alter table %I enable always trigger %I', rows, guard);
  end loop;
end $$;

create or replace function guard_rows(rows text) returns void language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  execute format(
    'create or replace trigger "rows go into an open outcome" after insert on %I
      referencing new table as touched for each statement execute function guard_touched()',
    rows);
  execute format(
    'create or replace trigger "rows leave an open outcome" after delete on %I
      referencing old table as touched for each statement execute function guard_touched()',
    rows);
  execute format(
    'create or replace trigger "a row is never edited" before update or truncate on %I
      for each statement execute function refuse_change()',
    rows);
  perform enable_guards(rows);
end $$;
select guard_rows(rows)
  from unnest(array['line', 'line_shared', 'payment', 'payment_shared', 'withheld_award'])
    as guarded (rows);

-- Lines are flagged before anything of their period is paid, and never afterwards.
create or replace function require_unpaid() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  paid bigint;
begin
  if is_replicated() then
    return null;
  end if;
  select period_id into paid
    from touched
    join revision using (period_id)
    where posted_at is not null
    limit 1;
  if found then
    raise exception 'period % is settled: its lines are flagged no more', paid
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create or replace trigger "a line is flagged before it is paid" after insert on flagged_line
  referencing new table as touched for each statement execute function require_unpaid();
create or replace trigger "a flag stays once its period is paid" after delete on flagged_line
  referencing old table as touched for each statement execute function require_unpaid();
create or replace trigger "a flag is never edited" before update or truncate on flagged_line
  for each statement execute function refuse_change();

-- An outcome that exists has withheld the line, or not: a decision cannot change that.
create or replace function require_later_revision() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if is_replicated() then
    return new;
  end if;
  if exists (
    select from revision
    where period_id = new.period_id and revision >= new.since_revision) then
    raise exception 'a decision on the line of % in period % cannot count in revision %',
      new.member, new.period_id, new.since_revision
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create or replace trigger "a decision counts in later revisions" before insert on line_decision
  for each row execute function require_later_revision();
create or replace trigger "a decision on a line is final"
  before update or delete or truncate on line_decision
  for each statement execute function refuse_edit();

-- ---- Own tables of outcomes

-- A big outcome has its own tables: filled without indexes, given their indexes once, and
-- attached as partitions when they are whole. Until then no trigger guards their rows, so attaching
-- them needs what inserting the rows would need. Partitions are grouped by 256 numbers, so that
-- attaching one never reads all of history.
create or replace function guard_own() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  perform require_open(array[tg_argv[0]::int]);
  return null;
end $$;

create or replace function make_outcome_tables(outcome int) returns void language plpgsql
  set search_path = palmares, pg_temp as $$
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

-- False if the table was dropped since the statement that names it began.
create or replace function has_rows(rows text) returns boolean language plpgsql stable
  set search_path = palmares, pg_temp as $$
declare
  found boolean;
begin
  execute format('select exists (select from %s)', rows) into found;
  return found;
exception
  when undefined_table or syntax_error then return false;
end $$;

-- Only backups read them before they are attached. While one does, the rows are deleted instead, and
-- drop_empty_table drops the tables later.
create or replace function drop_outcome_tables(outcome int) returns void language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  own text;
begin
  foreach own in array array['line_' || outcome, 'payment_' || outcome] loop
    begin
      execute format('lock table %s in access exclusive mode nowait', own);
      execute format('drop table %s', own);
    exception
      when lock_not_available then
        execute format('delete from %s', own);
      when undefined_table then
        null;
    end;
  end loop;
end $$;

-- The own tables without a revision: those named like them, and all attached for one outcome. A
-- revision and its tables commit together, so the tables of a filling that runs are not among them.
-- Empty ones are what a restart leaves. Only a change from outside of Palmares leaves rows.
create or replace function tables_of_no_outcome()
  returns table (own text, is_empty boolean) language sql stable
  set search_path = palmares, pg_temp as $$
  with recursive attached as (
    select inhrelid as id
    from pg_inherits
    where inhparent in ('line'::regclass, 'payment'::regclass)
    union all
    select inhrelid from attached join pg_inherits on inhparent = attached.id
  ), numbered as (
    select attached.id, bound[1]::bigint as first, bound[2]::bigint as after
    from attached
    join pg_class part on part.oid = attached.id and part.relkind = 'r'
    cross join lateral regexp_match(
      pg_get_expr(relpartbound, part.oid), 'FROM \((\d+)\) TO \((\d+)\)') as bound
    where bound is not null
    union
    select pg_class.oid, name[1]::bigint, name[1]::bigint + 1
    from pg_class
    cross join lateral regexp_match(relname, '^(?:line|payment)_(\d{1,10})$') as name
    where relkind = 'r'
      and relnamespace = (select relnamespace from pg_class where oid = 'line'::regclass)
      and not relispartition
      and name is not null
  )
  select own, not has_rows(own)
  from numbered
  cross join lateral (select id::regclass::text as own) name
  where not exists (select from revision where revision.id >= first and revision.id < after)
  order by own
$$;

-- Drops one of these tables if it is empty, and no other kind of table. Who reads a table of the same
-- volume is waited for only so briefly that others do not notice: they queue behind this lock.
-- Returns whether it is gone.
create or replace function drop_empty_table(own text) returns boolean language plpgsql
  set lock_timeout = '50ms'
  set search_path = palmares, pg_temp
as $$
declare
  volume regclass := (select inhparent from pg_inherits where inhrelid = to_regclass(own));
begin
  if volume is not null then
    execute format('lock table only %s in access exclusive mode', volume);
  end if;
  execute format('lock table %s in access exclusive mode', own);
  if own !~ '^(\w+\.)?(line|payment)_\d+$' or has_rows(own) then
    return false;
  end if;
  execute format('drop table %s', own);
  return true;
exception
  when lock_not_available then return false;
  when undefined_table then return true;
end $$;

-- To drop attached tables would wait for readers, so they stay until drop_empty_table. Once their
-- rows are deleted, vacuum gives the space back. Until then it stays off: rows that are
-- never edited leave nothing to remove, and a vacuum would read a table of millions once more while
-- others close. PostgreSQL freezes old rows of every table, whether vacuum is off or not.
create or replace function let_vacuum_outcome_tables(outcome int) returns void
language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  execute format('alter table line_%s reset (autovacuum_enabled)', outcome);
  execute format('alter table payment_%s reset (autovacuum_enabled)', outcome);
end $$;

create or replace function index_outcome_table(rows text, outcome int, columns text)
  returns void language plpgsql
  set maintenance_work_mem = '256MB'
  set max_parallel_maintenance_workers = 0
  set search_path = palmares, pg_temp
as $$
begin
  execute format('create unique index on %s_%s (%s)', rows, outcome, columns);
end $$;

-- A sample of 3,000 rows is enough for the planner.
create or replace function analyze_outcome_tables(outcome int) returns void language plpgsql
  set default_statistics_target = 10
  set search_path = palmares, pg_temp
as $$
begin
  execute format('analyze line_%1$s, payment_%1$s', outcome);
end $$;

-- No other table is locked until both are ready, since the outcomes of a volume are attached one
-- after the other.
create or replace function attach_outcome_tables(outcome int) returns void language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  rows text;
  own text;
  volume text;
  first int := (outcome - 1) / 256 * 256 + 1;
begin
  perform require_open(array[outcome]);
  foreach rows in array array['line', 'payment'] loop
    own := rows || '_' || outcome;
    execute format(
      'create trigger "rows go into and leave an open outcome"
        before insert or delete on %s
        for each statement execute function guard_own(%s)', own, outcome);
    execute format(
      'create trigger "a row is never edited" before update or truncate on %s
        for each statement execute function refuse_change()', own);
    perform enable_guards(own);
  end loop;
  perform analyze_outcome_tables(outcome);
  foreach rows in array array['line', 'payment'] loop
    own := rows || '_' || outcome;
    volume := rows || '_from_' || first;
    if to_regclass(volume) is null then
      perform pg_advisory_xact_lock(hashtextextended('volume of outcomes', first));
    end if;
    -- Not to_regclass: it would remember that there was none before the lock was free.
    if not exists (
        select from pg_class
        where relname = volume
          and relnamespace = (select relnamespace from pg_class where oid = 'line'::regclass)) then
      execute format('create table %s (like %s including constraints) partition by range (outcome)',
        volume, rows);
      perform guard_rows(volume);
      execute format('alter table %s attach partition %s for values from (%s) to (%s)',
        rows, volume, first, first + 256);
    end if;
    execute format('alter table %s attach partition %s for values from (%s) to (%s)',
      volume, own, outcome, outcome + 1);
  end loop;
end $$;

-- ---- Posting

-- The one statement that moves money: by the present lease, once, and only what was counted and
-- proved when the outcome was filled.
create or replace function require_whole() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  present bigint;
  stored record;
begin
  if is_replicated() then
    return new;
  end if;
  if old.posted_at is not null then
    raise exception 'outcome % is posted: it is never edited', old.id
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.posted_at is null then
    return new;
  end if;
  if new.filled_at is null then
    raise exception 'outcome % was never filled', new.id
      using errcode = 'integrity_constraint_violation';
  end if;
  select fence into present from period where id = new.period_id for no key update;
  if new.fence is distinct from present then
    raise exception 'stale owner: fence % of period % is over, the present one is %',
      new.fence, new.period_id, present
      using errcode = 'integrity_constraint_violation';
  end if;
  -- Own tables are read through their parents, which show them only if they are attached.
  execute format($sql$
    select *
    from (
      select count(*) as lines, coalesce(sum(line_hash(
        place, rank, points, then_by, arrival, reached_at, member)), 0) as line_sum,
        coalesce(sum(points), 0) as points, count(place) as placed, count(rank) as ranked
      from %2$I where outcome = %1$s
    ) line, (
      select coalesce(sum(number), 0)::bigint as payments, coalesce(sum(sum), 0) as payment_sum,
        coalesce(jsonb_agg(by_rule), '[]') as paid
      from (
        select rule, purpose, count(*) as number, sum(amount) as amount,
          sum(payment_hash(rule, purpose, amount, member)) as sum
        from %3$I where outcome = %1$s group by rule, purpose
      ) by_rule
    ) payment
    $sql$, new.id,
    case when new.id < 0 then 'line_shared' else 'line' end,
    case when new.id < 0 then 'payment_shared' else 'payment' end) into stored;
  if (stored.lines, stored.line_sum, stored.payments, stored.payment_sum)
      is distinct from (new.lines, new.line_sum, new.payments, new.payment_sum) then
    raise exception
      'outcome % is not what was filled: % of % lines and % of % payments are stored, or they differ',
      new.id, stored.lines, new.lines, stored.payments, new.payments
      using errcode = 'integrity_constraint_violation';
  end if;
  perform set_config(
    'palmares.posted', (to_jsonb(stored) || jsonb_build_object('id', new.id))::text, true);
  return new;
end $$;

-- What the transaction that posts an outcome has added up of its stored rows, for the manifest that
-- it writes: so that this does not read them again.
create or replace function posted_sums(outcome int) returns jsonb language plpgsql stable
  set search_path = palmares, pg_temp as $$
declare
  sums jsonb := nullif(current_setting('palmares.posted', true), '');
begin
  if (sums ->> 'id')::int is distinct from outcome then
    raise exception 'outcome % is not posted by this transaction, which writes its manifest', outcome
      using errcode = 'integrity_constraint_violation';
  end if;
  return sums;
end $$;

create or replace trigger "an outcome is posted once, whole, by its owner" before update on revision
  for each row execute function require_whole();
create or replace function refuse_posted_insert() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if is_replicated() then
    return new;
  end if;
  raise exception 'outcome % begins unposted: an update posts it', new.id
    using errcode = 'integrity_constraint_violation';
end $$;
create or replace trigger "an outcome begins unposted" before insert on revision
  for each row when (new.posted_at is not null) execute function refuse_posted_insert();
create or replace trigger "a posted outcome stays" before delete on revision
  for each row when (old.posted_at is not null) execute function refuse_change();
create or replace trigger "outcomes are never emptied" before truncate on revision
  for each statement execute function refuse_change();

-- ---- Reading lines

-- Whether the member is placed in an outcome. It plans for the tables of that outcome alone, which
-- a join could not.
create or replace function has_place(outcome int, member text)
  returns boolean language plpgsql stable
  set search_path = palmares, pg_temp as $$
declare
  found boolean;
begin
  execute format(
    'select exists (select from line where outcome = %s and member = $1 and place is not null)',
    outcome)
    into found using member;
  return found;
end $$;

-- The lines of an outcome down to a place or a rank, whichever is worse; without those that have no
-- rank. A few of many lines, read by the index of their places.
create or replace function best_lines(outcome int, worst_place int, worst_rank int)
  returns table (place int, rank int, member text, points bigint)
  language plpgsql stable
  set search_path = palmares, pg_temp
as $$
declare
  last int := greatest(worst_place, worst_rank);
  further boolean := true;
begin
  -- Ranks grow with places, and members who share a rank may be many.
  while further loop
    execute format(
      'select exists (
        select from line where outcome = %s and line.place = $1 + 1 and line.rank <= $2)', outcome)
      into further using last, worst_rank;
    last := case when further then last * 2 else last end;
  end loop;
  return query execute format(
    'select line.place, line.rank, line.member, line.points from line
      where outcome = %s and line.place <= $1 and (line.place <= $2 or line.rank <= $3)
        and line.rank is not null', outcome)
    using last, worst_place, worst_rank;
end $$;

-- How many of the ranked lines of an outcome with its own tables have points within bounds. From place
-- to place points get worse, never better, so these lines follow each other: two bisections by the
-- index of the places find where they begin and end.
create or replace function ranked_within(outcome int, ranked int, lowest bigint, highest bigint)
  returns int language plpgsql stable
  set search_path = palmares, pg_temp
as $$
declare
  at_place constant text := format('select points from line_%s where place = $1', outcome);
  first bigint;
  last bigint;
  low int;
  high int;
  points bigint;
  is_before boolean;
  before int[];
begin
  execute at_place into first using 1;
  execute at_place into last using ranked;
  -- How many lines come before those within the bounds, and how many before those after them.
  for n in 1..2 loop
    low := 0;
    high := ranked;
    while low < high loop
      execute at_place into points using (low + high) / 2 + 1;
      is_before := case
        when first >= last and n = 1 then points > highest
        when first >= last then points >= lowest
        when n = 1 then points < lowest
        else points <= highest end;
      if is_before then
        low := (low + high) / 2 + 1;
      else
        high := (low + high) / 2;
      end if;
    end loop;
    before[n] := low;
  end loop;
  return greatest(before[2] - before[1], 0);
end $$;

-- ---- The chains of audit entries and of manifests
--
-- The triggers run when the transaction commits, after all of its work. So the lock of a chain is
-- held for a moment only, no matter how long the transaction took.

create or replace function hash_of(entry audit_entry, former text) returns text language sql stable
  return encode(sha256(convert_to(concat_ws('|',
    former,
    (extract(epoch from entry.at) * 1000000)::bigint,
    quote_nullable(entry.by),
    quote_nullable(entry.verb),
    quote_nullable(entry.board),
    quote_nullable(entry.period),
    quote_nullable(entry.revision),
    quote_nullable(entry.member),
    quote_nullable(entry.reason),
    entry.details), 'UTF8')), 'hex');

-- A snapshot that is older than the lock would not show the last link.
create or replace function require_read_committed() returns void language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a chain is extended only by transactions that are read committed, not %',
      current_setting('transaction_isolation')
      using errcode = 'integrity_constraint_violation';
  end if;
end $$;

create or replace function link_audit_entry() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  perform require_read_committed();
  perform pg_advisory_xact_lock(hashtextextended('chain of audit entries', 0));
  insert into audit_link (audit_entry_id, hash)
  select new.id, hash_of(new, coalesce((select hash from audit_link order by n desc limit 1), ''));
  return null;
end $$;

-- PostgreSQL does not replace constraint triggers.
drop trigger if exists "an audit entry is linked to the one before it" on audit_entry;
create constraint trigger "an audit entry is linked to the one before it" after insert on audit_entry
  deferrable initially deferred for each row execute function link_audit_entry();

create or replace function hash_of(link manifest_link, former text) returns text
language sql stable
  return encode(sha256(convert_to(concat_ws('|',
    former,
    quote_nullable($1.board),
    quote_nullable($1.period),
    $1.period_id,
    $1.revision,
    $1.manifest_hash,
    $1.audit_link,
    $1.audit_hash,
    (extract(epoch from $1.counted_at) * 1000000)::bigint), 'UTF8')), 'hex');

create or replace function link_manifest() returns trigger language plpgsql
  set search_path = palmares, pg_temp as $$
declare
  link manifest_link;
begin
  perform require_read_committed();
  perform pg_advisory_xact_lock(hashtextextended('chain of manifests', 0));
  select null, board, name, new.period_id, new.revision, new.hash, entered.n, entered.hash,
      greatest(posted_at, (select until from closed_books)), null
    into link
    from period
    join revision on revision.period_id = period.id and revision.revision = new.revision
      and posted_at is not null
    left join (select n, hash from audit_link order by n desc limit 1) entered on true
    where period.id = new.period_id;
  insert into manifest_link (
    board, period, period_id, revision, manifest_hash, audit_link, audit_hash, counted_at, hash)
  select link.board, link.period, link.period_id, link.revision, link.manifest_hash,
    link.audit_link, link.audit_hash, link.counted_at,
    hash_of(link, coalesce((select hash from manifest_link order by n desc limit 1), ''));
  return null;
end $$;

drop trigger if exists "a manifest is linked to the one before it" on manifest;
create constraint trigger "a manifest is linked to the one before it" after insert on manifest
  deferrable initially deferred for each row execute function link_manifest();

-- Closes the books up to the end of a month. It holds the lock of the chain, so that it waits for
-- outcomes that commit now, and later ones see it.
create or replace function close_books(month_end timestamptz) returns void language plpgsql
  set search_path = palmares, pg_temp as $$
begin
  perform require_read_committed();
  perform pg_advisory_xact_lock(hashtextextended('chain of manifests', 0));
  insert into closed_books as books (until) values (month_end)
  on conflict (only_row) do update set until = excluded.until where books.until < excluded.until;
end $$;

create or replace trigger "closed books stay closed" before update on closed_books
  for each row when (new.until < old.until) execute function refuse_change();
create or replace trigger "closed books are kept" before delete or truncate on closed_books
  for each statement execute function refuse_edit();

-- ---- The guards are enabled

-- A restore with --disable-triggers enables each trigger, but not always: call this after it.
create or replace function enable_guards() returns void language sql
  set search_path = palmares, pg_temp as $$
  select enable_guards(relname)
  from pg_class
  where relnamespace = 'palmares'::regnamespace and relhastriggers
$$;
select enable_guards();
