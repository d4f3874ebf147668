-- Proves each amended line by applying the corrections of its member, in their order, to the line
-- of the closing: sums where points add up, else the one value that the scoring rule keeps. Points
-- corrected by hand are added to either.
-- A row: a member whose amended line differs in points, second key, arrival or time.

with recursive numbered as (
  select
    period_id,
    revision,
    member,
    kind = 'late-event' as late,
    points,
    then_by,
    date_bin(:tick * interval '1 microsecond', at, 'epoch') as at,
    n,
    row_number() over (partition by period_id, revision, member order by n) as turn
  from correction
  where period_id = any(:ids)
), folded as (
  select
    first.period_id,
    first.revision,
    first.member,
    0::bigint as turn,
    line.points,
    case when line.member is not null then coalesce(line.then_by, 0) end as then_by,
    case when line.member is not null then coalesce(line.arrival, 0) end as arrival,
    line.reached_at
  from numbered first
  join revision closing
    on closing.period_id = first.period_id
    and closing.period_id = any(:ids)
    and closing.revision = 1
  left join {lines} line
    on line.outcome = closing.id
    and line.member = first.member
    and line.outcome = any(:closings)
  where first.turn = 1
  union all
  select
    folded.period_id,
    folded.revision,
    folded.member,
    next.turn,
    case when alone or (takes and :scoring <> 'add') then next.points
      when takes or not next.late then folded.points + next.points
      else folded.points end,
    case when alone or (takes and :scoring <> 'add') then next.then_by
      when takes or not next.late then folded.then_by + next.then_by
      else folded.then_by end,
    case when :tiebreak <> 'arrival' then 0
      when alone or takes then coalesce(period.rebuilt_events, period.sealed_events) + next.n
      else folded.arrival end,
    case when alone or (takes and (:tiebreak = 'arrival' or :scoring <> 'add')) then next.at
      when takes then greatest(folded.reached_at, next.at)
      else folded.reached_at end
  from folded
  join numbered next
    on next.period_id = folded.period_id
    and next.revision = folded.revision
    and next.member = folded.member
    and next.turn = folded.turn + 1
  join period on period.id = folded.period_id and period.id = any(:ids)
  cross join lateral (
    select
      folded.points is null as alone,
      next.late and case :scoring
        when 'add' then true
        when 'latest' then :tiebreak = 'arrival' or next.at >= folded.reached_at
        else
          (:pointsSign * next.points, :thenSign * next.then_by)
            < (:pointsSign * folded.points, :thenSign * folded.then_by)
          or ((next.points, next.then_by) = (folded.points, folded.then_by)
            and :tiebreak <> 'arrival'
            and next.at < folded.reached_at)
      end as takes
  ) step
), derived as (
  select distinct on (period_id, revision, member) *
  from folded
  order by period_id, revision, member, turn desc
), stored as (
  select period_id, revision, member, points, then_by, arrival, reached_at
  from amended_line
  where period_id = any(:ids)
)
select
  period_id,
  said('difference.amended-line', jsonb_build_object('member', member, 'revision', revision))
    as what,
  case when derived.member is not null then
    said('difference.scored', jsonb_build_object(
      'points', derived.points, 'thenBy', derived.then_by, 'arrival', derived.arrival,
      'at', derived.reached_at)) end as derived,
  case when stored.member is not null then
    said('difference.scored', jsonb_build_object(
      'points', stored.points, 'thenBy', stored.then_by, 'arrival', stored.arrival,
      'at', stored.reached_at)) end as stored
from derived
full join stored using (period_id, revision, member)
where (derived.points, derived.then_by, derived.arrival, derived.reached_at)
  is distinct from (stored.points, stored.then_by, stored.arrival, stored.reached_at)
order by period_id, revision, member
