-- What each member gets if ties share the prizes of their seats: a tie's pool, divided by its size,
-- which includes members who may not win.

, tied as materialized (
  select distinct position, size from seated where position <= :last
), pooled as materialized (
  select
    position,
    sum(
      (least(position + size - 1, last) - greatest(position, first) + 1)::numeric * credits)
      as pool
  from tied
  join band on first <= position + size - 1 and last >= position
  group by position
), due as (
  select
    member,
    div(pool, size)
      + case when :toFirst and seat - position < mod(pool, size) then 1 else 0 end
      as credits
  from seated
  join pooled using (position)
  where may
)
