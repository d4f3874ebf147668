package palmares.settlement.verification;

/**
 * Derives the losses of order from the lines of an adopted board, which has no journal. Answers
 * rows as those of {@link LineSql} do.
 */
final class LossSql {
  private LossSql() {}

  static final String LOSSES_FROM_LINES =
      """
      with derived as (
        select
          period_id,
          points,
          reached_at,
          count(*) as members,
          case
            when not :tellsTime then 'no-time'
            when points <= :exactPoints then 'equal-time'
            else 'coarse-time'
          end as kind
        from line
        join revision on revision.id = line.outcome
        where line.outcome = any(:closings)
        group by period_id, points, reached_at
        having count(*) > 1
      ), stored as (
        select period_id, points, reached_at, members, kind
        from loss
        where period_id = any(:ids)
      )
      select
        coalesce(derived.period_id, stored.period_id) as period_id,
        concat_ws(', ',
          format('loss of order at %s points', coalesce(derived.points, stored.points)),
          coalesce(derived.reached_at, stored.reached_at)) as what,
        derived.members || ' members, ' || derived.kind as derived,
        stored.members || ' members, ' || stored.kind as stored
      from derived
      full join stored
        on stored.period_id = derived.period_id
        and stored.points = derived.points
        and coalesce(stored.reached_at, 'infinity') = coalesce(derived.reached_at, 'infinity')
      where (derived.members, derived.kind) is distinct from (stored.members, stored.kind)
      order by 1, coalesce(derived.points, stored.points) desc
      """;
}
