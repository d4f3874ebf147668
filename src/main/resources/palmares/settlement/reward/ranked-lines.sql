-- The ranked lines of a revision, and which of the members may win.
-- {lines} is the outcome's table, {among} says which lines, and {eligible} who may be paid.

with ranked as (
  select
    line.member,
    line.place,
    line.rank,
    line.points,
    line.points between :least and :most and frozen.member is null and {eligible} as may
  from {lines} line
  left join frozen_exclusion frozen
    on frozen.period_id = :period
    and frozen.revision = :revision
    and frozen.member = line.member
  {registrations}
  where line.outcome = :outcome and {among}
)
