-- Judges the invites of newcomers by what these have done since they registered. Of an action that
-- was undone, or that the journal does not prove to stand, none counts: an undo takes back every
-- earlier event of the member with the same action and subject in its period. The time of an invite
-- is that of the event that completes the required number. What is archived cannot be judged again.

with done as (
  select
    newcomer,
    invite_credit.board,
    occurred_at,
    seq,
    sum(quantity) over (
      partition by newcomer, invite_credit.board order by occurred_at, seq) as times
  from invite_credit
  join invite using (newcomer)
  join event on member = newcomer
    and event.action = event_action
    and occurred_at >= invited_at
    and occurred_at < deadline
  join period on period.id = period_id and period.board = event_board
  where newcomer = any(:newcomers)
    and outcome in ('applied', 'unchanged')
    and not exists (
      select from event undo
      where undo.period_id = event.period_id
        and undo.member = event.member
        and undo.action = event.action
        and undo.subject = event.subject
        and undo.outcome = 'undone'
        and undo.seq > event.seq)
)
select
  newcomer,
  inviter,
  board,
  action,
  invited_at,
  counted_in,
  credits,
  counted_at,
  period,
  (
    select min(occurred_at) from done
    where done.newcomer = invite_credit.newcomer
      and done.board = invite_credit.board
      and times >= at_least
  ) as qualified_at
from invite_credit
join invite using (newcomer)
where newcomer = any(:newcomers)
  and not exists (
    select from period
    where board = event_board
      and archived_at is not null
      and ends_at > invited_at
      and starts_at < deadline)
order by newcomer, board
