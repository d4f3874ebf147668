-- The seats that prizes go by, and the bands of seats. A tie takes consecutive seats; its position
-- is the first of them. {rank} is the board's rank method, {among} says who takes a seat.

, seated as materialized (
  select
    member,
    may,
    row_number() over exact as seat,
    rank() over tied as position,
    {rank} as rank,
    count(*) over (partition by rank) as size
  from ranked
  {among}
  window exact as (order by place), tied as (order by rank)
), band as (
  select * from unnest(:firsts::bigint[], :lasts::bigint[], :prizes::bigint[])
    with ordinality as band (first, last, credits, n)
)
