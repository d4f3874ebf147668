-- Proves that a person decided each tie that a rule leaves to people and whose decision changes
-- what a member gets.
-- A row: a rule and rank without a decision.

with
\ir parts/reward-rules.sql
\ir parts/ranked-lines.sql
\ir parts/prize-places.sql
undecided as (
  select period_id, name, tie
  from shared
  where ties = 'hold' and way is null
  group by period_id, name, tie
  having bool_or(rank_prize <> seat_prize or rank_prize <> share_prize)
)
select
  period_id,
  'decision on ties by ' || name || ' at rank ' || tie
    || case when :revision <> 1 then ' in revision ' || :revision else '' end as what,
  'a person''s' as derived,
  null as stored
from undecided
order by period_id, name, tie
