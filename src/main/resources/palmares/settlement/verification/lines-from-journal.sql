-- Proves that each line of a closing follows from the member's events: a sum where points add up,
-- else the one event that the scoring rule keeps.
-- A row: a member whose line differs in points, second key, arrival or time.
-- The halves of the numbers are added up: that is faster than a sum of bigints, and cannot overflow.
-- Where points add up, the lines of one big period are screened first: one pass adds up the events of
-- each member, and a hash of each result is added to one sum; the same hash of each line to another.
-- The hash has a key that is drawn for this run, so nobody could have made other lines with the same
-- sum. If the sums are equal, the proof is complete. Only if not, results and lines are joined, which
-- takes more time and memory, and the lines that differ, the suspects, are derived below.

with counted as not materialized (
  select
    member,
    exact_sum(points >> 32) as points_high,
    exact_sum(points & 4294967295) as points_low,
    -- A constant condition: where there is no second key, no sum of it is kept for each member.
    case when :seconds then exact_sum(then_by >> 32) else 0 end as then_by_high,
    case when :seconds then exact_sum(then_by & 4294967295) else 0 end as then_by_low,
    max(case when :seconds or then_by = 0 then occurred_at else 'infinity' end) as latest
  from (
    select member, points, then_by, occurred_at
    from event
    where :screened
      and period_id = any(:ids)
      and outcome in ('applied', 'undone', 'unchanged')
    offset 0 -- Without it, millions of events are fetched one by one in the order of an index.
  ) event
  group by member
), summed as not materialized (
  select
    member,
    case when points_high between -1073741824 and 1073741823
      then (points_high << 32) + points_low end as points,
    case when then_by_high between -1073741824 and 1073741823
      then (then_by_high << 32) + then_by_low end as then_by,
    date_bin(:tick * interval '1 microsecond', latest, 'epoch') as reached_at
  from counted
), written as not materialized (
  select member, points, coalesce(then_by, 0) as then_by, coalesce(arrival, 0) as arrival, reached_at
  from {lines} line
  -- A constant that made WHERE false would prune no partition.
  where outcome = any(case when :screened then :closings::int[] else array[0] end)
), screen as materialized (
  select
    (journal.members, journal.sum) = (line.members, line.sum) and journal.odd + line.odd = 0
      as equal
  from (
    select
      count(*) as members,
      coalesce(sum(keyed_hash(:key, member, points, then_by,
        micros(case when isfinite(reached_at) then reached_at end))), 0) as sum,
      count(*) filter (where points is null or then_by is null or not isfinite(reached_at)) as odd
    from summed
  ) journal
  cross join (
    select
      count(*) as members,
      coalesce(sum(keyed_hash(:key, member, points, then_by,
        micros(case when isfinite(reached_at) then reached_at end))), 0) as sum,
      count(*) filter (where arrival <> 0 or isfinite(reached_at) is not true) as odd
    from written
  ) line
), suspect as materialized (
  select member
  from summed
  full join written using (member)
  where (select equal from screen) is not true
    and (
      -- The time represents an odd row, too, and a line could have been given the same.
      isfinite(summed.reached_at) is not true
      or isfinite(written.reached_at) is not true
      or (summed.points, summed.then_by, 0, summed.reached_at)
        is distinct from (written.points, written.then_by, written.arrival, written.reached_at))
), fact as not materialized (
  select
    period_id,
    member,
    seq,
    points,
    value,
    then_by,
    case when :tiebreak = 'arrival' then seq else 0 end as arrival,
    occurred_at
  from event
  where not :screened
    and period_id = any(:ids)
    and outcome in ('applied', 'undone', 'unchanged')
  union all
  select period_id, member, seq, points, value, then_by, 0, occurred_at
  from suspect
  join event using (member)
  where :screened
    and period_id = any(:ids)
    and outcome in ('applied', 'undone', 'unchanged')
), halved as (
  select
    period_id,
    member,
    exact_sum(points >> 32) as points_high,
    exact_sum(points & 4294967295) as points_low,
    exact_sum(then_by >> 32) as then_by_high,
    exact_sum(then_by & 4294967295) as then_by_low,
    max(arrival) as arrival,
    max(occurred_at) as latest
  from fact
  where :scoring = 'add'
  group by period_id, member
), added as (
  select
    period_id,
    member,
    case when points_high between -1073741824 and 1073741823
      then (points_high << 32) + points_low
      else points_high * 4294967296::numeric + points_low end as points,
    case when then_by_high between -1073741824 and 1073741823
      then (then_by_high << 32) + then_by_low
      else then_by_high * 4294967296::numeric + then_by_low end as then_by,
    arrival,
    latest
  from halved
), valued as (
  select *, date_bin(:tick * interval '1 microsecond', occurred_at, 'epoch') as at
  from fact
  where :scoring <> 'add'
), numbered as (
  select
    period_id,
    member,
    value as points,
    then_by,
    arrival,
    at as reached_at,
    row_number() over (
      partition by period_id, member
      order by
        case :scoring when 'best' then -value when 'lowest-best' then value end,
        case when :scoring <> 'latest' then :thenSign * then_by end,
        case when :scoring <> 'latest' and :tiebreak <> 'arrival' then at end,
        case when :scoring = 'latest' and :tiebreak <> 'arrival' then at end desc nulls last,
        case when :scoring = 'latest' then -seq else seq end) as choice
  from valued
), derived as (
  select added.period_id, added.member, added.points, added.then_by, added.arrival,
    date_bin(:tick * interval '1 microsecond', coalesce(fact.occurred_at, added.latest), 'epoch')
      as reached_at
  from added
  left join fact on :tiebreak = 'arrival'
    and fact.period_id = added.period_id and fact.seq = added.arrival
  union all
  select period_id, member, points, then_by, arrival, reached_at
  from numbered
  where choice = 1
), stored as (
  select period_id, member, points, coalesce(then_by, 0) as then_by,
    coalesce(arrival, 0) as arrival, reached_at
  from {lines} line
  join revision on revision.id = line.outcome and revision.id = any(:closings)
  where line.outcome = any(case when :screened then array[0] else :closings::int[] end)
  union all
  select period_id, member, points, coalesce(then_by, 0), coalesce(arrival, 0), reached_at
  from suspect
  join {lines} line using (member)
  join revision on revision.id = line.outcome and revision.id = any(:closings)
  where line.outcome = any(case when :screened then :closings::int[] else array[0] end)
)
select
  period_id,
  said('difference.line', jsonb_build_object('member', member, 'revision', 1)) as what,
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
