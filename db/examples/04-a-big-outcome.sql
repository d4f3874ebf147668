-- A big outcome has its own tables: filled without indexes, indexed once, and attached when they are
-- whole. A statement that names the outcome reads these tables only.
\set VERBOSITY terse
set search_path to palmares;
set time zone 'UTC';

insert into period (
  board, name, starts_at, ends_at, closes_at, definition_hash, opened_at, expires_at, fence,
  state, sealed_at, sealed_members, sealed_points, sealed_events)
values ('steps', '2026-W46', '2026-11-09', '2026-11-16', '2026-11-16', repeat('a', 64),
  '2026-11-09', '2026-12-16', 1, 'sealed', '2026-11-16', 10000, 50005000, 10000);

-- A positive number says that the outcome has its own tables.
insert into revision (
  id, period_id, revision, definition_hash, owed, prepared_by, prepared_at)
select nextval('own_outcome'), id, 1, definition_hash, 'take', 'schedule', '2026-11-16'
from period where board = 'steps'
returning id as outcome;
insert into prize (outcome, rule, name, currency) values (1, 1, 'top-hundred', 'credits');
select make_outcome_tables(1);

-- Nobody sees these tables yet, so they have neither indexes nor triggers. Palmares fills them by
-- COPY, in the order of the places. Readers of line find nothing before they are attached.
insert into line_1 (outcome, place, rank, member, points, reached_at)
select 1, n, n, 'm' || to_char(n, 'FM00000'), 10001 - n, '2026-11-12'
from generate_series(1, 10000) as n;
insert into payment_1 (outcome, member, rule, purpose, amount)
select 1, member, 1, 1, 101 - place from line_1 where place <= 100;
select count(*) from line where outcome = 1;

-- The indexes: a member has one line, a place is taken once, a rule pays a member once.
select index_outcome_table('line', 1, 'member');
select index_outcome_table('line', 1, 'place');
select index_outcome_table('payment', 1, 'member, rule, purpose');
-- Attaching needs the present lease, as inserting the rows would.
begin;
set local palmares.fence = 1;
update revision
set filled_at = '2026-11-16',
  (lines, line_sum) = (
    select count(*), sum(line_hash(place, rank, points, then_by, arrival, reached_at, member))
    from line_1),
  (payments, payment_sum) = (
    select count(*), sum(payment_hash(rule, purpose, amount, member)) from payment_1)
where id = 1
returning lines, payments;
select attach_outcome_tables(1);
commit;

-- They are partitions now, in volumes of 256 outcomes: attaching one never reads all of history.
select relid, parentrelid, level from pg_partition_tree('line') order by level, relid::text;

-- A statement that names the outcome is planned for its tables only.
explain (costs off) select * from line where outcome = 1 and member = 'm04711';
explain (costs off) select * from line where outcome = 1 and place between 1 and 3 order by place;
explain (costs off) select * from payment where outcome = 1 and member = 'm00007';
explain (costs off) select count(*) from line where outcome = 1;
-- A statement that names none reads all of history. The names at the end are aliases.
explain (costs off) select count(*) from line;

-- The same laws hold: a second payment by a rule is refused, and so is an edit.
begin;
set local palmares.fence = 1;
insert into payment (outcome, member, rule, purpose, amount) values (1, 'm00007', 1, 1, 1);
rollback;
update line_1 set points = 0 where place = 1;
update revision
set verdict = 'approved', decided_by = 'rules', decided_at = '2026-11-16', verdict_reason = 'budget'
where id = 1;
begin;
update revision set posted_at = '2026-11-16', fence = 1 where id = 1 returning payments;
update period set state = 'settled', settled_at = '2026-11-16' where board = 'steps';
commit;
delete from payment_1 where member = 'm00007';
select count(*) as transfers, sum(amount) as credits from transfer where outcome = 1;
