-- The revisions that the manifests are of, with their periods.

with subject as (
  select period.*, whole.id as outcome, whole.base, whole.definition_hash as rules,
    whole.owed, whole.prepared_by, whole.prepared_at, whole.follows_entry, whole.reason,
    whole.held_for, whole.release_at, whole.verdict, whole.decided_by, whole.decided_at,
    whole.verdict_reason, whole.ties, whole.ties_by, whole.two_person,
    whole.posted_at, whole.frozen_at, whole.filled_at, whole.fence as posted_under,
    whole.lines, whole.line_sum, whole.payments, whole.payment_sum
  from period
  join revision as whole on whole.period_id = period.id and whole.revision = :revision
  where period.id = any(:ids) and whole.id = any(:outcomes)
)
