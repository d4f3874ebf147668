-- The fields and their names, from the parts above and from rows that are neither lines nor payments.
-- The order of the rows is that of the names, independent of the collation of the database.

, award as (
  select
    outcome,
    sum(number) as number,
    string_agg(
      sum_text(name, currency, number, 'awards', amount), '; '
      order by name collate "C", currency collate "C") as list,
    jsonb_agg(
      jsonb_build_object(
        'name', name, 'currency', currency, 'number', number, 'amount', amount)
      order by name collate "C", currency collate "C") as sums
  from given
  group by outcome
)
select subject.id as period_id, field, value,
  case field
    when 'awards-by-rule' then award.sums
    when 'payments-by-purpose' then paid.sums
  end as sums
from subject
left join journal on journal.period_id = subject.id
left join counted on counted.outcome = subject.outcome
left join placed on placed.outcome = subject.outcome
left join paid on paid.outcome = subject.outcome
left join award on award.outcome = subject.outcome
cross join lateral (
  select string_agg(
    format('%s: %s', level, lines), '; ' order by level collate "C") as list,
    sum(sum) as sum
  from (
    select level, count(*) as lines,
      sum(first_of_sha256(concat_ws('|', exclusion_id, level, member))) as sum
    from frozen_exclusion
    where period_id = subject.id and revision = :revision
    group by level
  ) as by_level
) excluded
cross join lateral (
  select count(*) as lines,
    sum(first_of_sha256(text)) as sum
  from correction_text
  where period_id = subject.id and revision = :revision
) corrected
cross join lateral (
  select string_agg(
    sum_text(name, currency, awards, 'awards', amount), '; '
    order by name collate "C", currency collate "C") as list,
    sum(sum) as sum
  from (
    select name, currency, count(*) as awards, sum(amount) as amount,
      sum(first_of_sha256(concat_ws('|', rule, amount, member))) as sum
    from withheld_award
    join prize using (outcome, rule)
    where withheld_award.outcome = subject.outcome
    group by name, currency
  ) by_prize
) withheld
cross join lateral (
  select sum(first_of_sha256(concat_ws('|',
    fence, members, points, events, missing, missing_events, changed_members, forgotten))) as sum
  from acknowledged_loss
  where period_id = subject.id
) every_loss
left join manifest former on former.period_id = subject.id and former.revision = subject.base
cross join lateral (
  values
    ('board', board),
    ('period', name),
    ('revision', :revision::text),
    ('amends', base::text),
    ('amends-manifest', former.hash),
    ('definition', definition_hash),
    ('rules', rules),
    ('starts-at', {starts_at}),
    ('ends-at', {ends_at}),
    ('zone', :zone),
    ('sealed-at', {sealed_at}),
    ('settled-at', {settled_at}),
    ('frozen-at', {frozen_at}),
    ('filled-at', {filled_at}),
    ('sealed-members', sealed_members::text),
    ('sealed-points', sealed_points::text),
    ('sealed-events', sealed_events::text),
    ('rebuilt-members', rebuilt_members::text),
    ('rebuilt-points', rebuilt_points::text),
    ('rebuilt-events', rebuilt_events::text),
    ('acknowledged-loss', loss_text(subject.id)),
    ('acknowledged-loss-checksum', every_loss.sum::text),
    ('events', coalesce(journal.lines, 0)::text),
    ('events-checksum', coalesce(journal.sum, 0)::text),
    ('exclusions', excluded.list),
    ('exclusions-checksum', excluded.sum::text),
    ('corrections', nullif(corrected.lines, 0)::text),
    ('corrections-checksum', corrected.sum::text),
    ('lines', counted.lines::text),
    ('lines-points', coalesce(placed.points, 0)::text),
    ('lines-checksum', counted.line_sum::text),
    ('placed', coalesce(placed.placed, 0)::text),
    ('ranked', coalesce(placed.ranked, 0)::text),
    ('eligible', coalesce(placed.eligible, 0)::text),
    ('awards', coalesce(award.number, 0)::text),
    ('awards-by-rule', award.list),
    ('payments', counted.payments::text),
    ('payments-by-purpose', paid.list),
    ('payments-checksum', counted.payment_sum::text),
    ('withheld', withheld.list),
    ('withheld-checksum', withheld.sum::text),
    ('owed', owed),
    ('two-person', case when two_person then 'true' end),
    ('approved-by', approvals_text(subject.id, :revision)),
    ('prepared-by', prepared_by),
    ('prepared-at', {prepared_at}),
    ('follows-audit-entry', follows_entry::text),
    ('reason', reason),
    ('held-for', nullif(held_for::text, '[]')),
    ('release-at', {release_at}),
    ('verdict', verdict),
    ('decided-by', decided_by),
    ('decided-at', {decided_at}),
    ('verdict-reason', verdict_reason),
    ('ties', ties),
    ('ties-by', ties_by),
    ('posted-at', {posted_at}),
    ('posted-under-lease', posted_under::text)
) as named (field, value)
where value is not null
order by subject.id, field collate "C"
