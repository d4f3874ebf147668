-- An amendment posts only the differences. Three boards, which differ in what happens to an amount
-- that a member was overpaid: it is taken back, left as a debt, or written off.
\set VERBOSITY terse
set search_path to palmares;
set time zone 'UTC';

insert into period (
  board, name, starts_at, ends_at, closes_at, definition_hash, opened_at, expires_at, fence,
  state, sealed_at, sealed_members, sealed_points, sealed_events)
select board, '2026-11', '2026-11-01', '2026-12-01', '2026-12-01', repeat('a', 64), '2026-11-01',
  '2027-01-01', 1, 'sealed', '2026-12-01', 2, 30, 3
from unnest(array['darts', 'go', 'poker']) as board;

-- Three statements that each revision needs, on all three boards: begin it, fill it, post it.
prepare begin_revisions (int, text) as
with begun as (
  insert into revision (
    id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at, reason)
  select nextval('shared_outcome'), id, $1, nullif($1 - 1, 0), definition_hash, owed, 'mia',
    '2026-12-01', $2
  from (values ('darts', 'take'), ('go', 'debt'), ('poker', 'write-off')) as rules (board, owed)
  join period using (board)
  order by board
  returning id, owed
), numbered as (
  insert into prize (outcome, rule, name, currency) select id, 1, 'winner', 'credits' from begun)
select id as outcome, owed from begun order by outcome desc;

prepare fill_revisions as
update revision
set filled_at = '2026-12-01', lines = 0, line_sum = 0, payments = 2, payment_sum = (
  select sum(payment_hash(rule, purpose, amount, member)) from payment where outcome = id)
where filled_at is null;

prepare post_revisions (timestamptz) as
with posted as (
  update revision
  set verdict = 'approved', decided_by = 'max', decided_at = $1, verdict_reason = 'checked',
    posted_at = $1, fence = 1
  where verdict is null
  returning period_id, revision)
update period
set state = 'settled', settled_at = coalesce(settled_at, $1), revision = posted.revision
from posted
where id = period_id;

-- The first revision gives bob 100 and ann 50. Purpose 1 is an award.
execute begin_revisions (1, null);
begin;
set local palmares.fence = 1;
insert into payment (outcome, member, rule, purpose, amount)
select outcome, member, 1, 1, amount
from (values (-3), (-4), (-5)) as begun (outcome), (values ('bob', 100), ('ann', 50))
  as award (member, amount);
execute fill_revisions;
execute post_revisions ('2026-12-01');
commit;

-- Without bob, ann gets 50 more, and bob was overpaid: 2 is a return, 3 a debt, 4 a write-off.
execute begin_revisions (2, 'bob cheated');
begin;
set local palmares.fence = 1;
insert into payment (outcome, member, rule, purpose, amount) values
  (-6, 'bob', 1, 2, 100), (-6, 'ann', 1, 1, 50),
  (-7, 'bob', 1, 3, 100), (-7, 'ann', 1, 1, 50),
  (-8, 'bob', 1, 4, 100), (-8, 'ann', 1, 1, 50);
execute fill_revisions;
execute post_revisions ('2026-12-02');
commit;
select board, purpose, from_kind, from_name, to_kind, to_name, amount
from transfer where revision = 2 order by board, member;

-- A write-off costs the house, a debt is bob's to pay, and each board sums to zero.
select board, kind, account, sum(amount) as balance
from account_statement where board <> 'chess'
group by board, kind, account order by board, kind, account;

-- It was an error. Bob gets 100 again: what was a debt or written off is restored (5), what was
-- taken back is awarded again. Now ann was overpaid.
execute begin_revisions (3, 'bob did not cheat');
begin;
set local palmares.fence = 1;
insert into payment (outcome, member, rule, purpose, amount) values
  (-9, 'bob', 1, 1, 100), (-9, 'ann', 1, 2, 50),
  (-10, 'bob', 1, 5, 100), (-10, 'ann', 1, 3, 50),
  (-11, 'bob', 1, 5, 100), (-11, 'ann', 1, 4, 50);
execute fill_revisions;
execute post_revisions ('2026-12-03');
commit;
select board, purpose, from_kind, from_name, to_kind, to_name, amount
from transfer where revision = 3 order by board, member;

-- The awards telescope: those of a revision are the sum of all changes up to it.
select board, award.revision, member, credits
from award join period on period.id = period_id
where board <> 'chess' order by board, revision, member;
select board, sum(amount) from entry group by board order by board;
