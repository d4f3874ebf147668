-- The lines with a rank, which of them may get a prize, and how many there are of both.

whole as materialized (
  select revision.id as outcome, period_id, revision.revision, ends_at
  from revision
  join period on period.id = revision.period_id and period.id = any(:ids)
  where revision.id = any(:outcomes)
), ranked as not materialized (
  select
    whole.period_id,
    line.member,
    line.place,
    line.rank,
    line.points,
    line.points >= :paidFrom
      and line.points <= :paidTo
      and frozen.member is null
      and (not :registeredOnly or coalesce(registered_at < whole.ends_at, false)) as allowed
  from {lines} line
  -- In the join: if a constant makes WHERE false, no partition is pruned.
  join whole on whole.outcome = line.outcome and line.outcome = any(:outcomes)
  left join frozen_exclusion frozen
    on frozen.period_id = whole.period_id
    and frozen.revision = whole.revision
    and frozen.member = line.member
  left join member on :registeredOnly and member.id = line.member
  where line.rank is not null
), number as materialized (
  select period_id, count(*) as ranked, count(*) filter (where allowed) as allowed
  from ranked
  where :registeredOnly
  group by period_id
  union all
  -- The same without joins, which take longer than all else that is done with a line.
  select
    whole.period_id,
    count(*),
    count(*) filter (
      where line.points >= :paidFrom
        and line.points <= :paidTo
        and (whole.period_id, line.member) not in (
          select period_id, member
          from frozen_exclusion
          where period_id = any(:ids) and revision = :revision))
  from {lines} line
  join whole on whole.outcome = line.outcome and line.outcome = any(:outcomes)
  where not :registeredOnly and line.rank is not null
  group by whole.period_id
),
