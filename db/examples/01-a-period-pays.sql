-- A period pays. Run the five examples in their order against an empty database of Palmares.
-- Palmares runs such statements itself; only an example writes to the ledger by hand.
\set VERBOSITY terse
set search_path to palmares;
set time zone 'UTC';

-- A board file, and a period that opened under it. The first lease on the period has fence 1.
insert into definition (hash, source, first_used_at)
values (repeat('a', 64), 'title: Chess', '2026-11-02');

insert into period (
  board, name, starts_at, ends_at, closes_at, definition_hash, opened_at, expires_at, fence)
values ('chess', '2026-W45', '2026-11-02', '2026-11-09', '2026-11-09', repeat('a', 64),
  '2026-11-02', '2026-12-09', 1);

-- The seal fixes the population.
update period
set state = 'sealed', sealed_at = '2026-11-09', sealed_members = 4, sealed_points = 1000,
  sealed_events = 10
where board = 'chess';

-- Its outcome: the first revision. A negative number says that it shares tables with others.
insert into revision (
  id, period_id, revision, definition_hash, owed, prepared_by, prepared_at)
select nextval('shared_outcome'), id, 1, definition_hash, 'take', 'schedule', '2026-11-09 00:01'
from period where board = 'chess'
returning id as outcome, revision;

-- Its reward rules by number, so that a payment carries two bytes instead of a name.
insert into prize (outcome, rule, name, currency)
values (-1, 1, 'top-three', 'credits'), (-1, 2, 'champion', 'medals');

-- Rows go into an outcome only in a transaction that names the present lease by its fence.
begin;
set local palmares.fence = 1;
insert into line (outcome, place, rank, member, points, reached_at) values
  (-1, 1, 1, 'ann', 400, '2026-11-05 10:00'),
  (-1, 2, 2, 'bob', 300, '2026-11-06 11:00'),
  (-1, 3, 3, 'cay', 200, '2026-11-07 12:00'),
  (-1, null, null, 'eve', 100, '2026-11-08 13:00');
insert into payment (outcome, member, rule, purpose, amount) values
  (-1, 'ann', 1, 1, 100), (-1, 'ann', 2, 1, 1), (-1, 'bob', 1, 1, 50), (-1, 'cay', 1, 1, 20);
commit;

-- A member of the frozen board has one line. A hidden member has no place in the standings.
select place, rank, member, points, reached_at from standing where outcome = -1 order by place;
select count(*) as members from snapshot where outcome = -1;

-- The payments are awards, and no money yet: nothing has been transferred.
select member, rule, credits, currency from award where outcome = -1 order by member, rule;
select count(*) as transfers from transfer;

-- Count what is stored, and add up its checksums. The outcome is filled.
update revision
set filled_at = '2026-11-09 00:02',
  (lines, line_sum) = (
    select count(*), sum(line_hash(place, rank, points, then_by, arrival, reached_at, member))
    from line where outcome = -1),
  (payments, payment_sum) = (
    select count(*), sum(payment_hash(rule, purpose, amount, member))
    from payment where outcome = -1)
where id = -1
returning lines, line_sum, payments, payment_sum;

-- Approve, then post. Posting is one update: it counts and adds up again, and checks the fence.
update revision
set verdict = 'approved', decided_by = 'rules', decided_at = '2026-11-09 00:03',
  verdict_reason = 'within the budget'
where id = -1;
begin;
update revision set posted_at = '2026-11-09 00:04', fence = 1 where id = -1;
update period set state = 'settled', settled_at = '2026-11-09 00:04' where board = 'chess';
commit;

-- Each payment is now a transfer, and a transfer is both of its entries.
select purpose, from_name, to_name, amount, currency from transfer order by member, rule;
select kind, account, amount, currency from entry where member = 'ann' order by currency, amount;

-- Balances are not stored: they are sums of entries. In each currency they sum to zero.
select kind, account, balance, currency from trial_balance order by currency, balance, account;
select currency, sum(balance) from trial_balance group by currency order by currency;
