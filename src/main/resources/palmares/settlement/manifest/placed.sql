-- Who is eligible: all ranked members with points that prizes are for, except the few who are excluded
-- and, on some boards, those who have not registered in time.

, barred as (
  select subject.outcome, count(*) as paid
  from subject
  join frozen_exclusion frozen
    on frozen.period_id = subject.id and frozen.revision = :revision
  join {lines} line on line.outcome = subject.outcome and line.member = frozen.member
  left join member on member.id = line.member
  where line.outcome = any(:outcomes)
    and line.rank is not null
    and line.points between :least and :most
    and (not :registeredOnly or registered_at < subject.ends_at)
  group by subject.outcome
), stranger as (
  select line.outcome, count(*) as paid
  from {lines} line
  -- Not in the WHERE clause: where a constant makes that false, no partition is pruned.
  join revision as whole
    on whole.id = line.outcome and line.outcome = any(:outcomes)
  join period on period.id = whole.period_id and period.id = any(:ids)
  left join member on member.id = line.member and registered_at < period.ends_at
  where :registeredOnly
    and line.rank is not null
    and line.points between :least and :most
    and member.id is null
  group by line.outcome
), placed as (
  select
    counted.outcome,
    points,
    placed,
    ranked,
    counted.paid - coalesce(barred.paid, 0) - coalesce(stranger.paid, 0) as eligible
  from counted
  left join barred using (outcome)
  left join stranger using (outcome)
)
