-- What the rules award in the first revision of a period.

select outcome, by_rule.name, currency, number, amount
from by_rule
join subject using (outcome)
where base is null and purpose = 1
