-- Each place that a prize could go to, in the order in which prizes go: as far as any rule
-- reaches, further by as many as prizes move up past, and all who are tied with the last of them.
-- The pool of a tie is the sum of the prizes of its places.

reach as materialized (
  select
    number.period_id,
    rule.n,
    band.credits,
    case when rule.kind = 'ranks' then after
      when up then ceil(after * members / 100)
      else floor(after * members / 100) end as after,
    case when rule.kind = 'ranks' then last
      when up then ceil(last * members / 100)
      else floor(last * members / 100) end as last
  from number
  cross join rule
  join band using (n)
  cross join lateral (
    select case when of_eligible then allowed else ranked end as members
  ) denominator
  where rule.kind in ('ranks', 'top')
), extent as materialized (
  select period_id, n, max(last) as last from reach group by period_id, n
), within as materialized (
  select period_id, max(last) + max(ranked - allowed) as last
  from extent
  join number using (period_id)
  group by period_id
), border as materialized (
  select
    within.period_id,
    greatest(max(ranked.rank), max(case when :method = 'dense' then within.last end)) as rank
  from within
  join ranked on ranked.period_id = within.period_id and ranked.place <= within.last
  -- The most of any period, as a number of the column's type: for the scan, by the index of places.
  where ranked.place <= (select least(max(last), 2147483647)::int from within)
  group by within.period_id
), numbered as (
  select
    ranked.period_id,
    member,
    allowed,
    ranked.rank as tie,
    count(*) over (partition by ranked.period_id order by place) as seat,
    dense_rank() over (partition by ranked.period_id order by ranked.rank) as level
  from ranked
  join border on border.period_id = ranked.period_id and ranked.rank <= border.rank
  where ranked.rank <= (select least(max(rank), 2147483647)::int from border)
    and (allowed or not :movesUp)
), queued as (
  select
    *,
    min(seat) over (partition by period_id, tie) as position,
    max(seat) over (partition by period_id, tie) as final
  from numbered
), place as (
  select
    queued.*,
    rule.*,
    coalesce(of_seat.credits, 0) as seat_prize,
    coalesce(of_rank.credits, 0) as rank_prize
  from queued
  join extent using (period_id)
  join rule on rule.n = extent.n
  cross join lateral (
    select case
      when rule.kind = 'top' or :method = 'competition' then position
      when :method = 'dense' then level
      else seat end as shown
  ) by_method
  left join reach of_seat
    on of_seat.period_id = queued.period_id and of_seat.n = rule.n
    and seat > of_seat.after and seat <= of_seat.last
  left join reach of_rank
    on of_rank.period_id = queued.period_id and of_rank.n = rule.n
    and shown > of_rank.after and shown <= of_rank.last
  where shown <= extent.last
), pooled as (
  select
    place.*,
    final - position + 1 as size,
    sum(seat_prize) over (partition by place.period_id, n, tie) as pool,
    case place.ties when 'hold' then revision.ties else place.ties end as way
  from place
  join revision
    on revision.period_id = place.period_id
    and revision.period_id = any(:ids)
    and revision.revision = :revision
), shared as (
  select
    *,
    (pool - pool % size) / size
      + (to_first and seat < position + pool % size)::int as share_prize
  from pooled
  where allowed
), by_place as (
  select
    period_id,
    member,
    n,
    case way
      when 'each' then rank_prize
      when 'order' then seat_prize
      else share_prize end as credits
  from shared
),
