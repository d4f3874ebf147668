-- The groups of equal points in which a person's decision changes a prize; {place} is the rank or
-- position. On a dense board a tie ranked ahead shifts all seats after it. So a single member can
-- have one prize by its rank and another by its seat.

, by_rank as materialized (
  select member, coalesce(credits, 0) as credits
  from seated
  left join band on n = width_bucket({place}, :firsts::bigint[]) and {place} <= last
), by_seat as materialized (
  select member, coalesce(credits, 0) as credits
  from seated
  left join band on n = width_bucket(seat, :firsts::bigint[]) and seat <= last
), held as materialized (
  select
    position,
    {place} as shown,
    size,
    array_agg(member order by seat) filter (where seat < position + 10) as members
  from seated
  join by_rank using (member)
  join by_seat using (member)
  left join due using (member)
  where {place} <= :last
  group by position, {place}, size
  having bool_or(
    may and (by_rank.credits <> by_seat.credits
      or by_rank.credits <> coalesce(due.credits, 0)))
)
select :name as rule, :currency as currency, shown as rank, size, members,
  coalesce(pool, 0) as pool
from held
left join pooled using (position)
order by position
