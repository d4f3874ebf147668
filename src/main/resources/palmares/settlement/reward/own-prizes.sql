-- What each member gets if each takes the prize of {place}, its own rank, position or seat. A binary
-- search finds the band, since the bands are sorted.

, due as (
  select member, credits
  from seated
  join band on n = width_bucket({place}, :firsts::bigint[]) and {place} <= last
  where may
)
