-- Proves that each acknowledged loss is in the audit log with what is left and given up, and that a
-- period which lacks sealed members, points or events has its loss acknowledged.
-- A row: an acknowledgement that differs, or a loss without one.

with loss as (
  select
    period_id, made_at as at, made_by as by, reason,
    jsonb_strip_nulls(jsonb_build_object(
      'members', members, 'points', points, 'events', events, 'missing', missing::text,
      'missingEvents', missing_events, 'changedMembers', changed_members,
      'forgotten', forgotten)) as details
  from acknowledged_loss
  where period_id = any(:ids)
), kept_act as (
  select
    period.id as period_id, audit_entry.at, audit_entry.by, audit_entry.reason,
    audit_entry.details
  from audit_entry
  join period on period.board = audit_entry.board and period.name = audit_entry.period
  where audit_entry.verb = 'accept-loss' and period.id = any(:ids)
)
select
  coalesce(kept_act.period_id, loss.period_id) as period_id,
  said('difference.acknowledged-loss',
    jsonb_build_object('by', coalesce(kept_act.by, loss.by))) as what,
  to_jsonb(kept_act.reason || ' ' || kept_act.details) as derived,
  to_jsonb(loss.reason || ' ' || loss.details) as stored
from kept_act
full join loss using (period_id, at, by)
where (kept_act.reason, kept_act.details) is distinct from (loss.reason, loss.details)
union all
select
  id,
  said('difference.sealed-loss'),
  said('difference.acknowledgement'),
  said('difference.left-of-sealed', jsonb_build_object(
    'members', rebuilt_members, 'sealedMembers', sealed_members,
    'points', rebuilt_points, 'sealedPoints', sealed_points,
    'events', rebuilt_events, 'sealedEvents', sealed_events))
from period
where id = any(:ids)
  and lacks_sealed(period)
  and not exists (
    select from acknowledged_loss left_over
    where left_over.period_id = period.id
      and (left_over.members, left_over.points, left_over.events)
        = (rebuilt_members, rebuilt_points, rebuilt_events))
order by 1, 2
