package palmares.settlement.verification;

/**
 * What was acknowledged once PostgreSQL had it, held against what was decided. Each statement
 * answers rows of {@code period_id, what, derived, stored}, as those of {@link LineSql} do.
 */
final class CommitSql {
  private CommitSql() {}

  /** An undo takes back what was given with an earlier event, whatever it states itself. */
  static final String JOURNAL_FROM_COMMITS =
      """
      with told as (
        select
          kept.period_id,
          kept.n,
          kept.id,
          kept.member,
          format('%s with %s points', coalesce(kept.outcome, 'not relayed'), kept.points)
            as derived,
          case when event.id is not null then
            format('%s with %s points, of %s', event.outcome, event.points, event.member)
          end as stored,
          event.id is not null
            and (kept.member, kept.outcome, kept.points)
              is not distinct from (event.member, event.outcome, event.points) as equal,
          concat_ws(', ', committed.action, committed.subject, committed.quantity,
            committed.value, committed.digest, committed.occurred_at,
            case when committed.undo then 'undo' else committed.then_by::text end,
            case when event.outcome = 'applied' and committed.value is null
              then committed.worth end) as derived_details,
          concat_ws(', ', event.action, event.subject, event.quantity,
            event.value, event.digest, event.occurred_at,
            case when event.outcome in ('undone', 'nothing-to-undo') then 'undo'
              else event.then_by::text end,
            case when event.outcome = 'applied' and event.value is null
              then event.points end) as stored_details
        from kept_commit kept
        join committed_event committed
          on committed.period_id = kept.period_id and committed.n = kept.n
        left join event on event.period_id = kept.period_id and event.id = kept.id
        where kept.period_id = any(:ids)
      )
      select
        period_id,
        'event ' || id || ' of ' || member as what,
        derived || case when equal then ': ' || derived_details else '' end as derived,
        stored || case when equal then ': ' || stored_details else '' end as stored
      from told
      where not equal or derived_details <> stored_details
      order by period_id, n
      """;

  /** Of boards whose events are all committed. */
  static final String NEVER_COMMITTED =
      """
      select
        event.period_id,
        'event ' || event.id || ' of ' || event.member as what,
        null as derived,
        format('%s with %s points', event.outcome, event.points) as stored
      from event
      left join committed_event committed
        on committed.period_id = event.period_id and committed.id = event.id
      where event.period_id = any(:ids)
        and committed.id is null
        and event.outcome <> 'discarded'
      order by event.period_id, event.seq
      """;
}
