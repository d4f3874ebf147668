-- Forgetting a person: replaces an id by a pseudonym in every table, and keeps by how much that
-- changed the checksums of manifests and the hashes of audit entries. Each function can run again.

-- Replaces an id wherever it stands as a word, but not as a name in JSON.
create or replace function pseudonymized(body text, former text, pseudonym text) returns text
  language sql immutable parallel safe
as $$
  select case when strpos(body, former) = 0 then body
    else regexp_replace(body,
      '(?<![[:alnum:]])' || regexp_replace(former, '([^[:alnum:]])', '\\\1', 'g')
        || '(?![[:alnum:]]|" *:)',
      pseudonym, 'g')
    end
$$;

-- Replaces an id in the reasons that a manifest holds; all other fields are names and figures.
create or replace function pseudonymized_manifest(body text, former text, pseudonym text)
  returns text language sql immutable parallel safe
as $$
  select case when strpos(body, former) = 0 then body
    else (
      select string_agg(
        case when line ~ '^(reason|verdict-reason): ' then pseudonymized(line, former, pseudonym)
          else line end,
        e'\n' order by n)
      from regexp_split_to_table(body, e'\n') with ordinality as split (line, n))
    end
$$;

create or replace function keep_difference(
  what text, owner bigint, pseudonym text, difference numeric) returns void language sql
as $$
  insert into forgotten_sum as kept (what, owner, pseudonym, difference)
  select $1, $2, $3, $4 where $4 <> 0
  on conflict on constraint forgotten_sum_pkey do
    update set difference = kept.difference + excluded.difference
$$;

-- Renames a person in the rows of a period, and returns how many rows these are. The period is
-- locked, and must be open or settled.
create or replace function forget_in_period(which bigint, former text, pseudonym text)
  returns bigint language plpgsql
as $$
declare
  place record;
  whole record;
  difference numeric;
  counted bigint;
  touched bigint := 0;
begin
  perform set_config('palmares.forgetting', 'on', true);
  select board, name, state into place from period where id = which for update;
  if place.state not in ('open', 'settled', 'expired') then
    raise exception 'period % is %: a person in it is forgotten before its closing or after it',
      which, place.state
      using errcode = 'integrity_constraint_violation';
  end if;

  with found as materialized (
    select event as row_before, seq from event
    where period_id = which
      and (member = former or strpos(subject, former) > 0 or strpos(id, former) > 0)
  ), changed as (
    update event
      set member = case when event.member = former then pseudonym else event.member end,
        subject = pseudonymized(subject, former, pseudonym),
        id = pseudonymized(id, former, pseudonym)
      from found
      where event.period_id = which and event.seq = found.seq
      returning event as row_after, found.row_before
  )
  select count(*), coalesce(sum(event_hash(row_before)::numeric - event_hash(row_after)), 0)
    into counted, difference from changed;
  perform keep_difference('events', which, pseudonym, difference);
  touched := touched + counted;

  update committed_event
    set member = case when member = former then pseudonym else member end,
      subject = pseudonymized(subject, former, pseudonym),
      id = pseudonymized(id, former, pseudonym)
    where period_id = which
      and (member = former or strpos(subject, former) > 0 or strpos(id, former) > 0);
  get diagnostics counted = row_count;
  touched := touched + counted;

  for whole in select id, revision from revision where period_id = which order by id loop
    touched := touched + forget_in_outcome(whole.id, former, pseudonym);
  end loop;
  return touched + forget_corrections(which, place.board, place.name, former, pseudonym);
end $$;

-- The statements name the outcome, so that PostgreSQL plans for its tables alone.
create or replace function forget_in_outcome(outcome int, former text, pseudonym text)
  returns bigint language plpgsql
as $$
declare
  counted bigint;
  touched bigint := 0;
  difference numeric;
begin
  execute format($sql$
    with changed as (
      update line set member = $2 where outcome = %s and member = $1 returning line.*
    )
    select count(*), coalesce(sum(
      line_hash(place, rank, points, then_by, arrival, reached_at, $1)::numeric
        - line_hash(place, rank, points, then_by, arrival, reached_at, $2)), 0)
    from changed $sql$, outcome)
    into counted, difference using former, pseudonym;
  perform keep_difference('lines', outcome, pseudonym, difference);
  touched := touched + counted;
  execute format($sql$
    with changed as (
      update payment set member = $2 where outcome = %s and member = $1 returning payment.*
    )
    select count(*), coalesce(sum(payment_hash(rule, purpose, amount, $1)::numeric
      - payment_hash(rule, purpose, amount, $2)), 0)
    from changed $sql$, outcome)
    into counted, difference using former, pseudonym;
  perform keep_difference('payments', outcome, pseudonym, difference);
  return touched + counted;
end $$;

-- Corrections, the late events that made them, frozen exclusions, and moves between tiers.
create or replace function forget_corrections(
  which bigint, its_board text, its_name text, former text, pseudonym text)
  returns bigint language plpgsql
as $$
declare
  earlier numeric[];
  counted bigint;
  touched bigint := 0;
begin
  earlier := array(
    select coalesce(sum(first_of_sha256(text)), 0)
    from revision left join correction_text using (period_id, revision)
    where period_id = which group by revision.id order by revision.id);
  update late_event
    set member = case when member = former then pseudonym else member end,
      subject = pseudonymized(subject, former, pseudonym),
      id = pseudonymized(id, former, pseudonym),
      verdict_reason = pseudonymized(verdict_reason, former, pseudonym)
    where board = its_board and period = its_name
      and strpos(concat_ws(' ', member, subject, id, verdict_reason), former) > 0;
  get diagnostics counted = row_count;
  touched := touched + counted;
  update correction
    set member = case when member = former then pseudonym else member end,
      event_id = pseudonymized(event_id, former, pseudonym),
      reason = pseudonymized(reason, former, pseudonym)
    where period_id = which and strpos(concat_ws(' ', member, event_id, reason), former) > 0;
  get diagnostics counted = row_count;
  touched := touched + counted;
  perform keep_difference('corrections', id, pseudonym, earlier[n] - present)
  from (
    select revision.id, row_number() over (order by revision.id) as n,
      coalesce(sum(first_of_sha256(text)), 0) as present
    from revision left join correction_text using (period_id, revision)
    where period_id = which group by revision.id
  ) summed;

  with changed as (
    update frozen_exclusion
      set member = case when member = former then pseudonym else member end,
        reason = pseudonymized(reason, former, pseudonym)
      where period_id = which and strpos(concat_ws(' ', member, reason), former) > 0
      returning revision, exclusion_id, level, member
  ), summed as (
    select revision, sum(first_of_sha256(concat_ws('|', exclusion_id, level, former))::numeric
        - first_of_sha256(concat_ws('|', exclusion_id, level, member))) as difference,
      count(*) as rows
    from changed
    where member = pseudonym
    group by revision
  ), kept as (
    select summed.rows, keep_difference('exclusions', revision.id, pseudonym, difference)
    from summed
    join revision on revision.period_id = which and revision.revision = summed.revision
  )
  select coalesce(sum(rows), 0) into counted from kept;
  touched := touched + counted;
  update amended_line set member = pseudonym where period_id = which and member = former;
  update tier_move set member = pseudonym where period_id = which and member = former;
  return touched;
end $$;

-- Texts in which people and programs name members. Approvals and acknowledged losses are parts of a
-- field of a manifest, and stay.
create or replace view written_text as
select * from (values
  ('exclusion', 'reason', 'text'),
  ('exclusion', 'lift_reason', 'text'),
  ('revision', 'reason', 'text'),
  ('revision', 'verdict_reason', 'text'),
  ('fact', 'data', 'json'),
  ('run', 'failure', 'text'),
  ('run', 'stack', 'text'),
  ('period', 'failure', 'text'),
  ('period', 'expiry_failure', 'text'),
  ('verification_run', 'summary', 'text'),
  ('verification_run', 'first', 'text'),
  ('outbox_target', 'failure', 'text'),
  ('batch_job_execution', 'exit_message', 'varchar(2500)'),
  ('batch_step_execution', 'exit_message', 'varchar(2500)')
) as written (place, field, type);

-- Renames a person in all rows that belong to no single period: the registration, exclusions, the
-- audit log, manifests, and the texts above.
create or replace function forget_everywhere(former text, pseudonym text, new_code text)
  returns bigint language plpgsql
as $$
declare
  written record;
  counted bigint;
  touched bigint := 0;
begin
  perform set_config('palmares.forgetting', 'on', true);
  update member
    set id = pseudonym, external_hash = pseudonym, external_mask = '***', nickname = pseudonym,
      invite_code = new_code, digest = pseudonym
    where id = former;
  get diagnostics touched = row_count;
  update exclusion
    set member = case when member = former then pseudonym else member end
    where member = former;
  get diagnostics counted = row_count;
  touched := touched + counted;

  with chained as (
    select act_id, lag(hash, 1, '') over (order by n) as earlier from act_link
  ), changed as (
    update act
      set member = case when member = former then pseudonym else member end,
        reason = pseudonymized(reason, former, pseudonym)
      where member = former or pseudonymized(reason, former, pseudonym) <> reason
      returning act as entry
  )
  insert into forgotten_act (act_id, hash)
    select (entry).id, hash_of(entry, earlier)
    from changed
    join chained on chained.act_id = (entry).id
    on conflict (act_id) do update set hash = excluded.hash;
  get diagnostics counted = row_count;
  touched := touched + counted;

  update manifest
    set body = pseudonymized_manifest(body, former, pseudonym),
      renamed_hash = encode(sha256(convert_to(
        pseudonymized_manifest(body, former, pseudonym), 'UTF8')), 'hex')
    where pseudonymized_manifest(body, former, pseudonym) <> body;
  get diagnostics counted = row_count;
  touched := touched + counted;

  for written in select * from written_text loop
    execute format(
      'update %1$I set %2$I = pseudonymized(%2$I::text, $1, $2)::%3$s
        where pseudonymized(%2$I::text, $1, $2) <> %2$I::text',
      written.place, written.field, written.type)
      using former, pseudonym;
    get diagnostics counted = row_count;
    touched := touched + counted;
  end loop;
  update journal_quarantine set entry = ''
    where resolution is not null
      and position(convert_to(former, 'UTF8') in entry) > 0;
  return touched;
end $$;
