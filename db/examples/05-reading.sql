-- Views to read in psql. Never read the table payment for money.
\set VERBOSITY terse
set search_path to palmares;
set time zone 'UTC';

-- The periods, and what became of each outcome.
select board, period, state, members, revision from period_overview order by board;
select board, revision, status, reason, decided_by, outcome from revision_overview
order by board, revision;

-- The palmarès: final lines of settled periods in the revision in force. In a big history, name
-- the outcome.
select place, rank, member, points, credits, other_prizes from palmares
where board = 'chess' order by place;
select place, member, points, credits, awards from palmares
where outcome = 1 and place <= 3 order by place;

-- Members of the frozen board who are hidden in the standings.
select member from snapshot where outcome = -1
except select member from standing where outcome = -1;

-- A member's statement: every entry of ann's accounts, with the other side of each.
select posted_at::date as posted, board, revision as rev, purpose, amount, currency, other_account
from account_statement where kind = 'member' and account = 'ann'
order by posted_at, board, revision, rule;
select kind, balance, currency from trial_balance where account = 'ann' order by currency, kind;

-- All accounts by kind. In each currency the balances sum to zero.
select * from trial_balance_summary order by currency, kind, account;

-- What each outcome moved.
select board, revision, purpose, rule, transfers, amount, currency
from period_transfers order by board, revision, rule, purpose;

-- Whether the stored rows are still those that were posted. This counts and adds up; palmares verify
-- derives every line and payment again.
select id as outcome, lines = (select count(*) from line where outcome = id) as lines_match,
  payment_sum = (
    select sum(payment_hash(rule_number, purpose_number, amount, member))
    from transfer where outcome = id) as payments_match
from revision where posted_at is not null order by id;
