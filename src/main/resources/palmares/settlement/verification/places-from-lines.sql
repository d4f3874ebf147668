-- Proves the place and rank of each line. Members without a rank follow those with one; hidden
-- members have no place.
-- A row: a member whose place or rank differs.

with shown as (
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
  'line of ' || member
    || case when :revision <> 1 then ' in revision ' || :revision else '' end as what,
  format('%s, %s', coalesce('place ' || derived_place, 'no place'),
    coalesce('rank ' || derived_rank, 'no rank')) as derived,
  format('%s, %s', coalesce('place ' || place, 'no place'),
    coalesce('rank ' || rank, 'no rank')) as stored
from numbered
where (derived_place, derived_rank) is distinct from (place, rank)
order by outcome, derived_place
