-- What the database refuses, no matter who asks. Continues 01-a-period-pays.sql.
\set VERBOSITY terse
set search_path to palmares;
set time zone 'UTC';

-- What is posted is never edited: no row is added, changed or removed, even under the lease.
begin;
set local palmares.fence = 1;
insert into payment (outcome, member, rule, purpose, amount) values (-1, 'eve', 1, 1, 1000);
rollback;
begin;
set local palmares.fence = 1;
delete from line where outcome = -1 and member = 'bob';
rollback;
update payment set amount = 1000 where outcome = -1;
update line set points = 0;
truncate payment;

-- Nor is it posted again, taken back, or removed.
update revision set posted_at = '2026-11-10', fence = 1 where id = -1;
update revision set posted_at = null, fence = null where id = -1;
delete from revision where id = -1;

-- An amendment is an open outcome. Another process has taken the lease; its fence is 2.
insert into revision (
  id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at, reason)
select nextval('shared_outcome'), id, 2, 1, definition_hash, 'take', 'mia', '2026-11-10', 'a trial'
from period where board = 'chess'
returning id as outcome, revision;
insert into prize (outcome, rule, name, currency) values (-2, 1, 'top-three', 'credits');
update period set fence = 2 where board = 'chess';

-- Without a lease, or with a former one, no row goes in.
insert into payment (outcome, member, rule, purpose, amount) values (-2, 'eve', 1, 1, 5);
begin;
set local palmares.fence = 1;
insert into payment (outcome, member, rule, purpose, amount) values (-2, 'eve', 1, 1, 5);
rollback;

-- A rule pays a member once in an outcome, and a positive amount.
begin;
set local palmares.fence = 2;
insert into payment (outcome, member, rule, purpose, amount) values (-2, 'eve', 1, 1, 5);
commit;
begin;
set local palmares.fence = 2;
insert into payment (outcome, member, rule, purpose, amount) values (-2, 'eve', 1, 1, 7);
rollback;
begin;
set local palmares.fence = 2;
insert into payment (outcome, member, rule, purpose, amount) values (-2, 'ann', 1, 1, 0);
rollback;

-- What was not filled, or not approved, is not posted.
update revision set posted_at = '2026-11-10', fence = 2 where id = -2;
update revision
set filled_at = '2026-11-10', lines = 0, line_sum = 0, payments = 1,
  payment_sum = payment_hash(1::smallint, 1::smallint, 5, 'eve')
where id = -2;
update revision set posted_at = '2026-11-10', fence = 2 where id = -2;
update revision
set verdict = 'approved', decided_by = 'max', decided_at = '2026-11-10', verdict_reason = 'fine'
where id = -2;

-- The owner of a former lease posts nothing.
update revision set posted_at = '2026-11-10', fence = 1 where id = -2;

-- Nor does the present owner, if a row was added or replaced after the filling.
begin;
set local palmares.fence = 2;
insert into payment (outcome, member, rule, purpose, amount) values (-2, 'ann', 1, 1, 5);
update revision set posted_at = '2026-11-10', fence = 2 where id = -2;
rollback;
begin;
set local palmares.fence = 2;
delete from payment where outcome = -2;
insert into payment (outcome, member, rule, purpose, amount) values (-2, 'eve', 1, 1, 6);
update revision set posted_at = '2026-11-10', fence = 2 where id = -2;
rollback;

-- It is rejected in the end. Its payment stays what it was: no money.
update revision set verdict = 'rejected', verdict_reason = 'a trial' where id = -2;
select period, revision, status, reason from revision_overview order by revision;
select count(*) as transfers, sum(amount) filter (where currency = 'credits') as credits
from transfer;

-- The audit log and its chain are never edited either.
insert into audit_entry (at, by, verb, board, period, reason)
values ('2026-11-10', 'max', 'reject', 'chess', '2026-W45', 'a trial');
update audit_entry set by = 'mia';
delete from audit_link;
