package palmares.audit;

/**
 * What was acknowledged once PostgreSQL had it, held against what was decided. Each statement
 * answers rows of {@code period_id, what, derived, stored}, as those of {@link LineSql} do.
 */
final class CommitSql {
  private CommitSql() {}

  static final String JOURNAL_FROM_COMMITS =
      """
      select
        kept.period_id,
        'event ' || kept.id || ' of ' || kept.member as what,
        format('%s with %s points', coalesce(kept.outcome, 'not relayed'), kept.points) as derived,
        case when event.id is not null then
          format('%s with %s points, of %s', event.outcome, event.points, event.member)
        end as stored
      from kept_commit kept
      left join event on event.period_id = kept.period_id and event.id = kept.id
      where kept.period_id = any(:ids)
        and (kept.member, kept.outcome, kept.points)
          is distinct from (event.member, event.outcome, event.points)
      order by kept.period_id, kept.n
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
