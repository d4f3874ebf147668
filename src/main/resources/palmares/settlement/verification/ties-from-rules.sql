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
  said('difference.tie-decision', jsonb_build_object(
    'rule', name, 'rank', tie, 'revision', :revision::int)) as what,
  said('difference.by-a-person') as derived,
  null as stored
from undecided
order by period_id, name, tie
