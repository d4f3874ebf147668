-- Proves that each line of an amendment is the member's corrected line, or else the line of the
-- closing.
-- A row: a member whose line differs in points, second key, arrival or time.

with corrected as (
  select period_id, member, points, then_by, arrival, reached_at
  from amended_line
  where period_id = any(:ids) and revision = :revision
), derived as (
  select period_id, member, points, then_by, arrival, reached_at
  from corrected
  union all
  select period_id, member, points, coalesce(then_by, 0), coalesce(arrival, 0), reached_at
  from {lines} line
  join revision on revision.id = line.outcome and revision.id = any(:closings)
  where line.outcome = any(:closings)
    and not exists (
      select from corrected
      where corrected.period_id = revision.period_id and corrected.member = line.member)
), stored as (
  select period_id, member, points, coalesce(then_by, 0) as then_by,
    coalesce(arrival, 0) as arrival, reached_at
  from {lines} line
  join revision on revision.id = line.outcome and revision.id = any(:outcomes)
  where line.outcome = any(:outcomes)
)
select
  period_id,
  said('difference.line', jsonb_build_object('member', member, 'revision', :revision::int)) as what,
  case when derived.points is not null then
    said('difference.scored', jsonb_build_object(
      'points', derived.points, 'thenBy', derived.then_by, 'arrival', derived.arrival,
      'at', derived.reached_at)) end as derived,
  case when stored.points is not null then
    said('difference.scored', jsonb_build_object(
      'points', stored.points, 'thenBy', stored.then_by, 'arrival', stored.arrival,
      'at', stored.reached_at)) end as stored
from derived
full join stored using (period_id, member)
where (derived.points, derived.then_by, derived.arrival, derived.reached_at)
  is distinct from (stored.points, stored.then_by, stored.arrival, stored.reached_at)
order by period_id, member
