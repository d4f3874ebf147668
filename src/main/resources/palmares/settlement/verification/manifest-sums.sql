-- Proves that the sums of each manifest, which decisions and reports read, are those of its text.
-- A row: a field of a manifest whose sums differ from the text.

with kept as (
  select revision.revision, board, period.name as period, body, sums, field
  from revision
  join period on period.id = revision.period_id
  join manifest
    on manifest.period_id = revision.period_id and manifest.revision = revision.revision
  cross join lateral (
    select 'awards-by-rule'
    union
    select 'payments-by-purpose'
    union
    select jsonb_object_keys(sums)
  ) as known (field)
  where revision.id = any(:outcomes)
), compared as (
  select
    said('difference.manifest-sums', jsonb_build_object(
      'field', field, 'revision', revision, 'board', board, 'period', period)) as what,
    case when field in ('awards-by-rule', 'payments-by-purpose')
      then manifest_field(body, field) end as derived,
    case when field in ('awards-by-rule', 'payments-by-purpose') then (
      -- Only what can be one sum of the text is one: others could say the same in another way.
      select string_agg(
        case when name ~ '^[^;:]+$' and name !~ ' no$' and currency ~ '^([^;: ]+|no currency)$'
            and number is not null and amount is not null
          then sum_text(name, currency, number,
            case field when 'awards-by-rule' then 'awards' else 'payments' end, amount)
          else '?' end, '; ')
      from manifest_sums(sums, field))
      else (sums -> field)::text end as stored
  from kept
)
select 0 as period_id, what, derived, stored
from compared
where derived is distinct from stored
order by what
