-- Proves the corrections made by late events from the events and the rules, and that an amendment
-- keeps the corrections of the revision that it amends. The late events of a rejected revision may
-- be decided again, so its corrections are not compared.
-- A row: a late event or a kept correction that differs.

with day as (
  select :dayStarts::timestamptz[] as starts
), worth as (
  select *
  from unnest(:actions::text[], :points::bigint[], :onces::text[])
    as worth (action, points, once)
), made as (
  select correction.*
  from correction
  join revision using (period_id, revision)
  where period_id = any(:ids) and revision.verdict is distinct from 'rejected'
), derived as (
  select
    made.period_id,
    made.revision,
    late_event.id as event_id,
    late_event.member,
    case when late_event.undo then undone.points
      when :scoring <> 'add' then late_event.value
      else worth.points * late_event.quantity end as points,
    case when late_event.undo then undone.then_by
      when :seconds then coalesce(late_event.then_by, 0)
      else 0 end as then_by,
    late_event.occurred_at as at
  from made
  join period on period.id = made.period_id and period.id = any(:ids)
  join late_event
    on late_event.board = period.board
    and late_event.period = period.name
    and late_event.id = made.event_id
  left join worth on worth.action = late_event.action
  left join lateral (
    select -given.points as points, -given.then_by as then_by
    from (
      select points, then_by, seq as turn, 1 as source
      from event
      where event.period_id = made.period_id
        and event.member = late_event.member
        and event.action = late_event.action
        and event.subject = late_event.subject
        and event.outcome = 'applied'
        and (worth.once not in ('day', 'subject-a-day')
          or width_bucket(event.occurred_at, (select starts from day))
            = width_bucket(late_event.occurred_at, (select starts from day)))
      union all
      select earlier.points, earlier.then_by, earlier.n, 2
      from correction earlier
      join late_event given
        on given.board = period.board
        and given.period = period.name
        and given.id = earlier.event_id
      where earlier.period_id = made.period_id
        and earlier.revision = made.revision
        and earlier.n < made.n
        and given.member = late_event.member
        and given.action = late_event.action
        and given.subject = late_event.subject
        and not given.undo
        and (worth.once not in ('day', 'subject-a-day')
          or width_bucket(given.occurred_at, (select starts from day))
            = width_bucket(late_event.occurred_at, (select starts from day)))
    ) given
    order by source desc, turn desc
    limit 1
  ) undone on late_event.undo
  where made.kind = 'late-event' and late_event.verdict = 'accepted'
), stored as (
  select period_id, revision, event_id, member, points, then_by, at
  from made
  where kind = 'late-event'
), differing as (
  select
    period_id,
    revision,
    said('difference.correction-by-event',
      jsonb_build_object('event', event_id, 'revision', revision)) as what,
    case when derived.member is not null then said('difference.corrected', jsonb_build_object(
      'points', derived.points, 'thenBy', derived.then_by, 'member', derived.member,
      'at', derived.at)) end as derived,
    case when stored.member is not null then said('difference.corrected', jsonb_build_object(
      'points', stored.points, 'thenBy', stored.then_by, 'member', stored.member,
      'at', stored.at)) end as stored
  from derived
  full join stored using (period_id, revision, event_id)
  where (derived.member, derived.points, derived.then_by, derived.at)
    is distinct from (stored.member, stored.points, stored.then_by, stored.at)
), not_kept as (
  select
    base.period_id,
    revision.revision,
    said('difference.correction',
      jsonb_build_object('number', base.n, 'revision', revision.revision)) as what,
    said('difference.points-of',
      jsonb_build_object('points', base.points, 'member', base.member)) as derived,
    case when made.n is not null then
      said('difference.points-of',
        jsonb_build_object('points', made.points, 'member', made.member)) end as stored
  from correction base
  join revision
    on revision.period_id = base.period_id
    and revision.period_id = any(:ids)
    and revision.base = base.revision
  left join made
    on made.period_id = base.period_id
    and made.revision = revision.revision
    and made.n = base.n
  where base.period_id = any(:ids)
    and revision.verdict is distinct from 'rejected'
    and (base.member, base.kind, base.event_id, base.points, base.then_by, base.at,
        base.reason, base.made_by, base.made_at)
      is distinct from (made.member, made.kind, made.event_id, made.points, made.then_by,
        made.at, made.reason, made.made_by, made.made_at)
)
select period_id, what, derived, stored
from (select * from differing union all select * from not_kept) difference
order by period_id, revision, what
