-- Proves that inviters are credited for the invites that qualify, and for no others: by the terms
-- of the rules at the registration, and by what the newcomers have done since then. An action that
-- was undone does not count, nor does an earlier one with the same subject. What came too late for
-- the period is a late event, on which a person decides. Left out are newcomers who are to be judged
-- again, and invites that rest on an archived journal.
-- A row: an invite with other terms than the rules', one that lacks its credit, or a credit without
-- an invite that qualifies.

with own as materialized (
  select * from period where id = any(:ids)
), terms as (
  select
    own.id as period_id,
    newcomer,
    concat_ws(' ', :creditAction::text, :eventBoard::text, :eventAction::text, :atLeast::bigint,
      invited_at + :within::interval, :countedIn::text) as derived,
    concat_ws(' ', action, event_board, event_action, at_least, deadline, counted_in) as stored
  from invite_credit
  join own on own.id = terms_period_id and own.board = invite_credit.board
  join invite using (newcomer)
  union all
  select own.id, newcomer, :eventAction::text, null
  from own
  join invite on invited_at >= greatest(starts_at, opened_at) and invited_at < ends_at
  where not exists (
    select from invite_credit
    where invite_credit.newcomer = invite.newcomer and invite_credit.board = own.board)
), term as materialized (
  -- Those of this board that may count in these periods.
  select invite_credit.*, inviter, invited_at
  from invite_credit
  join invite using (newcomer)
  where board in (select board from own)
    and invited_at < (select max(ends_at) from own)
    and (deadline > (select min(starts_at) from own)
      or period in (select name from own))
    and not exists (select from invite_due where invite_due.newcomer = invite_credit.newcomer)
    and not exists (
      select from period archived
      where archived.board = event_board
        and archived_at is not null
        and ends_at > invited_at
        and starts_at < deadline)
), act as (
  select
    term.newcomer,
    term.board,
    occurred_at,
    sum(quantity) over (partition by term.newcomer, term.board order by occurred_at, seq) as times,
    term.at_least
  from term
  join event on event.member = term.newcomer and event.action = term.event_action
  join period source on source.id = event.period_id and source.board = term.event_board
  left join lateral (
    select max(seq) as last
    from event back
    where back.period_id = event.period_id
      and back.member = event.member
      and back.action = event.action
      and back.subject = event.subject
      and back.outcome = 'undone'
  ) undo on true
  where outcome in ('applied', 'unchanged')
    and (undo.last is null or undo.last < seq)
    and occurred_at >= invited_at
    and occurred_at < deadline
), derived as (
  select
    own.id as period_id,
    term.newcomer,
    term.inviter,
    term.counted_at is not null and term.period = own.name as in_force
  from term
  join own on own.board = term.board
  join (
    select newcomer, board, min(occurred_at) as at
    from act
    where times >= at_least
    group by newcomer, board
  ) qualified on qualified.newcomer = term.newcomer and qualified.board = term.board
  where term.period = own.name
    or term.period is null
      and case when counted_in = 'registration' then invited_at else at end >= own.starts_at
      and case when counted_in = 'registration' then invited_at else at end < own.ends_at
), credit as (
  select
    period_id,
    subject as newcomer,
    member as inviter,
    sum(case outcome when 'applied' then 1 when 'undone' then -1 else 0 end) as credits
  from event
  where period_id = any(:ids)
    and action = :creditAction
    and outcome in ('applied', 'undone')
  group by period_id, subject, member
), compared as (
  select
    coalesce(derived.period_id, credit.period_id) as period_id,
    coalesce(derived.newcomer, credit.newcomer) as newcomer,
    derived.inviter as derived,
    case when credits > 0 then credit.inviter || case when credits > 1 then ' ' || credits else '' end
      end as stored
  from derived
  full join credit
    on credit.period_id = derived.period_id
    and credit.newcomer = derived.newcomer
    and credit.inviter = derived.inviter
)
select
  period_id,
  said('difference.invite-terms', jsonb_build_object('member', newcomer)) as what,
  to_jsonb(derived) as derived,
  to_jsonb(stored) as stored
from terms
where derived is distinct from stored
union all
select
  compared.period_id,
  said('difference.invite-credit', jsonb_build_object('member', newcomer)),
  to_jsonb(compared.derived),
  to_jsonb(compared.stored)
from compared
join own on own.id = compared.period_id
where compared.derived is distinct from compared.stored
  and not exists (
    select from invite_due where invite_due.newcomer = compared.newcomer)
  and not exists (
    select from late_event
    where late_event.board = own.board
      and late_event.period = own.name
      and late_event.action = :creditAction
      and late_event.subject = compared.newcomer)
  -- The live board took the credit, and counted it as the limits of the action say.
  and not (compared.stored is null and exists (
    select from committed_event
    where committed_event.period_id = own.id
      and committed_event.action = :creditAction
      and committed_event.subject = compared.newcomer
      and committed_event.member = compared.derived
      and not undo
      and outcome not in ('applied', 'undone')))
order by 1, 2
