-- Proves the place and rank of each line. Members without a rank follow those with one; hidden
-- members have no place.
-- A row: a member whose place or rank differs.
-- The lines of one big outcome are walked first, place by place: each must have the next place, be
-- strictly after the line before it in the one order, and have the rank that follows from the rank
-- of the line before it. The first line has no line before it, so by induction all places and ranks
-- are right. Only if a line breaks this are the lines put in order again, to name all that differ.

with last_section as materialized (
  select frozen.member, case frozen.level when 'hidden' then 2 else 1 end as section
  from revision
  join frozen_exclusion frozen using (period_id, revision)
  where revision.id = :alone and frozen.level in ('hidden', 'unranked')
), walked as (
  select
    place,
    rank,
    points,
    then_by,
    arrival,
    reached_at,
    member,
    row_number() over by_place as next_place,
    -- Each lag takes time: none is computed that the board does not need.
    case when :method <> 'unique' then lag(rank) over by_place end as former_rank,
    lag(points) over by_place as former_points,
    case when :seconds then lag(then_by) over by_place end as former_then_by,
    case when :tiebreak = 'arrival' then lag(arrival) over by_place end as former_arrival,
    lag(reached_at) over by_place as former_reached_at,
    lag(member) over by_place as former_member
  from {lines} line
  where outcome = :alone
  window by_place as (order by place)
), broken as materialized (
  select
  from walked
  cross join lateral (
    select case
      when (select count(*) from last_section) = 0 then 0
      when member in (select member from last_section where section = 2) then 2
      when member in (select member from last_section) then 1
      else 0 end as section,
    case
      when (select count(*) from last_section) = 0 then 0
      when former_member in (select member from last_section where section = 2) then 2
      when former_member in (select member from last_section) then 1
      else 0 end as former_section
  ) shown
  where case
    when not :seconds and then_by <> 0 or :tiebreak <> 'arrival' and arrival <> 0 then true
    when section = 2 then place is not null or rank is not null
    when place is distinct from next_place then true
    when section = 1 and rank is not null then true
    when section = 0 and rank is distinct from case
        when :method = 'unique' then place
        when (former_section, former_points, coalesce(former_then_by, 0))
            = (section, points, coalesce(then_by, 0))
          then former_rank
        when :method = 'competition' then place
        else coalesce(former_rank, 0) + 1 end
      then true
    when place = 1 then false
    else (
        former_section,
        :pointsSign * former_points,
        :thenSign * coalesce(former_then_by, 0),
        coalesce(former_arrival, 0),
        former_reached_at is null,
        coalesce(former_reached_at, 'epoch'),
        member)
      < (
        section,
        :pointsSign * points,
        :thenSign * coalesce(then_by, 0),
        coalesce(arrival, 0),
        reached_at is null,
        coalesce(reached_at, 'epoch'),
        former_member)
      is not true end
  limit 1
), shown as (
  select
    line.*,
    revision.period_id,
    case when frozen.level is null or frozen.level = 'no-prize' then 0
      when frozen.level = 'unranked' then 1
      when frozen.level = 'hidden' then 2 end as section
  from {lines} line
  join revision on revision.id = line.outcome and revision.id = any(:outcomes)
  left join frozen_exclusion frozen
    on frozen.period_id = revision.period_id
    and frozen.revision = revision.revision
    and frozen.member = line.member
  where line.outcome = any(:outcomes)
    and (:alone = 0 or exists (select from broken))
), numbered as (
  select
    *,
    case when section < 2 then row_number() over exact end as derived_place,
    case when section = 0 then
      case :method
        when 'unique' then row_number() over exact
        when 'competition' then rank() over tied
        else dense_rank() over tied
      end
    end as derived_rank
  from shown
  window
    exact as (
      partition by outcome
      order by
        section,
        :pointsSign * points,
        :thenSign * coalesce(then_by, 0),
        coalesce(arrival, 0),
        reached_at,
        member desc),
    tied as (
      partition by outcome
      order by section, :pointsSign * points, :thenSign * coalesce(then_by, 0))
)
select
  period_id,
  said('difference.line', jsonb_build_object('member', member, 'revision', :revision::int)) as what,
  said('difference.placed', jsonb_build_object(
    'place', coalesce(to_jsonb(derived_place), said('difference.none')),
    'rank', coalesce(to_jsonb(derived_rank), said('difference.none')))) as derived,
  said('difference.placed', jsonb_build_object(
    'place', coalesce(to_jsonb(place), said('difference.none')),
    'rank', coalesce(to_jsonb(rank), said('difference.none')))) as stored
from numbered
where (derived_place, derived_rank) is distinct from (place, rank)
order by outcome, derived_place
