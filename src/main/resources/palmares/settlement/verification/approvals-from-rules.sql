-- Proves that people approved where the rules of the period ask for them: a person's decision
-- unless the release time had passed, for the rest of a period whose end a file has moved, if it pays,
-- and two people who did not shape the outcome where the rules want two.
-- A row: a posted revision that lacks such an approval.

with posted as (
  select
    revision.*,
    base is null
      and decided_by = 'the board''s rules'
      and (:approvalRequired and not (:releases and coalesce(release_at <= decided_at, false))
        or revision.period_id = any(:rests::bigint[])
          and exists (
            select from {payments} payment
            where payment.outcome = any(:closings) and payment.outcome = revision.id)) as unasked,
    (:twoPeopleRequired or two_person) and (
      person(decided_by) = person(prepared_by)
      or 2 > (
        select count(*) from approver
        where approver.period_id = revision.period_id
          and approver.revision = revision.revision)
      or 2 > (
        select count(*)
        from (
          select person(audit_entry.by) as name
          from audit_entry
          where audit_entry.verb = 'approve'
            and audit_entry.board = period.board
            and audit_entry.period = period.name
            and audit_entry.revision = revision.revision
            and audit_entry.id > revision.follows_entry
        ) person
        where not exists (
          select from shaper
          where shaper.period_id = revision.period_id
            and shaper.revision = revision.revision
            and shaper.name = person.name))) as alone
  from revision
  join period on period.id = revision.period_id and period.id = any(:ids)
  where period_id = any(:ids)
    and posted_at is not null
)
select
  period_id,
  said('difference.approval', jsonb_build_object('revision', revision)) as what,
  case when unasked then said('difference.by-a-person') else said('difference.by-two-people') end
    as derived,
  decided_by as stored
from posted
where unasked or alone
order by period_id, revision
