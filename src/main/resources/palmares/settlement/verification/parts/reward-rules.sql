-- The reward rules of the board, in their order, and what each pays for: ranks, percentages or
-- points after "after" up to "last".

rule as (
  select * from unnest(
    :ruleNames::text[], :ruleKinds::text[], :ruleCurrencies::text[], :ruleTies::text[],
    :ruleFirsts::boolean[], :ruleEligibles::boolean[], :ruleUps::boolean[],
    :ruleActions::text[], :ruleWorths::bigint[])
    with ordinality as rule (
      name, kind, currency, ties, to_first, of_eligible, up, action, worth, n)
), band as (
  select * from unnest(
    :bandRules::bigint[], :bandAfters::numeric[], :bandLasts::numeric[],
    :bandCredits::numeric[]) as band (n, after, last, credits)
),
