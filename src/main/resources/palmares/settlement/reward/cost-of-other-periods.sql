-- What the other approved periods of a board cost of the same month. One statement, so that
-- an outcome that is posted meanwhile is in one of both.

with part as (
  select revision.id, manifest.sums
  from period own
  join period other on other.board = own.board
    and other.id <> own.id
    and other.starts_at < own.ends_at + interval '32 days'
    and other.starts_at >= coalesce(
      (select max(starts_at) from period
        where board = own.board and starts_at <= own.ends_at - interval '32 days'),
      '-infinity')
    and month_of(other.starts_at, other.ends_at, :offsetsFrom::bigint[], :offsets::bigint[])
      = month_of(own.starts_at, own.ends_at, :offsetsFrom::bigint[], :offsets::bigint[])
  join revision in_force on in_force.period_id = other.id
    and in_force.revision = other.revision
    and in_force.verdict = 'approved'
  join revision on revision.period_id = other.id
    and (revision.id = in_force.id
      or revision.revision < in_force.revision and revision.posted_at is not null)
  left join manifest on manifest.period_id = revision.period_id
    and manifest.revision = revision.revision
  where own.id = :period and revision.id <> all(:together)
)
select
  (select coalesce(sum(case name when 'award' then amount when 'return' then -amount end), 0)
    from part
    cross join lateral manifest_sums(sums, 'payments-by-purpose')
    where currency = :currency) as posted,
  array(select id from part where sums is null) as unposted
