package palmares.settlement.verification;

/**
 * Derives the lines of outcomes. Each statement returns rows of {@code period_id, what, derived,
 * stored} where the two differ: null on the left is something extra, null on the right something
 * missing. The outcomes are parameters, so that the planner opens no table of another period:
 * {@code :closings} are those of the periods {@code :ids}, {@code :outcomes} those of {@code
 * :revision}.
 */
final class LineSql {
  private LineSql() {}

  static final String POPULATION =
      """
      with frozen as (
        select revision.period_id, counted.members, counted.points
        from (
          select outcome, count(*) as members, sum(points) as points
          from line
          where outcome = any(:closings)
          group by outcome
        ) counted
        join revision on revision.id = counted.outcome
      ), decided as (
        select period_id, count(*) as events
        from event
        where period_id = any(:ids)
        group by period_id
      ), derived as (
        select
          period.id as period_id,
          coalesce(frozen.members, 0) as members,
          coalesce(frozen.points, 0) as points,
          case when archived_at is null then coalesce(decided.events, 0)
            else coalesce(rebuilt_events, sealed_events) end as events
        from period
        left join frozen on frozen.period_id = period.id
        left join decided on decided.period_id = period.id
        where period.id = any(:ids)
      )
      select
        derived.period_id,
        'population' as what,
        format('%s members, %s points, %s events',
          derived.members, derived.points, derived.events) as derived,
        format('%s members, %s points, %s events',
          coalesce(rebuilt_members, sealed_members), coalesce(rebuilt_points, sealed_points),
          coalesce(rebuilt_events, sealed_events)) as stored
      from derived
      join period on period.id = derived.period_id
      where (derived.members, derived.points, derived.events)
        is distinct from (
          coalesce(rebuilt_members, sealed_members), coalesce(rebuilt_points, sealed_points),
          coalesce(rebuilt_events, sealed_events))
      order by derived.period_id
      """;

  /**
   * What each member holds in the closing's outcome, by every rule at once: a sum where points add
   * up, else the one event that holds by the order of its keys.
   */
  static final String LINES_FROM_JOURNAL =
      """
      with fact as not materialized (
        select
          period_id,
          member,
          seq,
          points,
          value,
          then_by,
          case when :arrivals then seq else 0 end as arrival,
          occurred_at
        from event
        where period_id = any(:ids) and outcome in ('applied', 'undone', 'unchanged')
      ), added as (
        select
          period_id,
          member,
          sum(points) as points,
          sum(then_by) as then_by,
          max(arrival) as arrival,
          max(occurred_at) as latest
        from fact
        where :scoring = 'add'
        group by period_id, member
      ), valued as (
        select *, date_bin(:tick::interval, occurred_at, 'epoch') as at
        from fact
        where :scoring <> 'add'
      ), numbered as (
        select
          period_id,
          member,
          value as points,
          then_by,
          arrival,
          at as reached_at,
          row_number() over (
            partition by period_id, member
            order by
              case :scoring when 'best' then -value when 'lowest-best' then value end,
              case when :scoring <> 'latest' then :thenSign * then_by end,
              case when :scoring <> 'latest' and not :arrivals then at end,
              case when :scoring = 'latest' and not :arrivals then at end desc nulls last,
              case when :scoring = 'latest' then -seq else seq end) as choice
        from valued
      ), derived as (
        select added.period_id, added.member, added.points, added.then_by, added.arrival,
          date_bin(:tick::interval, coalesce(fact.occurred_at, added.latest), 'epoch')
            as reached_at
        from added
        left join fact on :arrivals
          and fact.period_id = added.period_id and fact.seq = added.arrival
        union all
        select period_id, member, points, then_by, arrival, reached_at
        from numbered
        where choice = 1
      ), stored as (
        select period_id, member, points, coalesce(then_by, 0) as then_by,
          coalesce(arrival, 0) as arrival, reached_at
        from line
        join revision on revision.id = line.outcome
        where line.outcome = any(:closings)
      )
      select
        period_id,
        'line of ' || member as what,
        case when derived.points is not null then
          format('%s points, %s by the second key, arrival %s, at %s',
            derived.points, derived.then_by, derived.arrival, derived.reached_at) end as derived,
        case when stored.points is not null then
          format('%s points, %s by the second key, arrival %s, at %s',
            stored.points, stored.then_by, stored.arrival, stored.reached_at) end as stored
      from derived
      full join stored using (period_id, member)
      where (derived.points, derived.then_by, derived.arrival, derived.reached_at)
        is distinct from (stored.points, stored.then_by, stored.arrival, stored.reached_at)
      order by period_id, member
      """;

  /** What each member holds in an amendment: its corrected line, else that of the closing. */
  static final String LINES_FROM_CLOSING =
      """
      with corrected as (
        select period_id, member, points, then_by, arrival, reached_at
        from amended_line
        where period_id = any(:ids) and revision = :revision
      ), derived as (
        select period_id, member, points, then_by, arrival, reached_at
        from corrected
        union all
        select period_id, member, points, coalesce(then_by, 0), coalesce(arrival, 0), reached_at
        from line
        join revision on revision.id = line.outcome
        where line.outcome = any(:closings)
          and not exists (
            select from corrected
            where corrected.period_id = revision.period_id and corrected.member = line.member)
      ), stored as (
        select period_id, member, points, coalesce(then_by, 0) as then_by,
          coalesce(arrival, 0) as arrival, reached_at
        from line
        join revision on revision.id = line.outcome
        where line.outcome = any(:outcomes)
      )
      select
        period_id,
        'line of ' || member || ' in revision ' || :revision as what,
        case when derived.points is not null then
          format('%s points, %s by the second key, arrival %s, at %s',
            derived.points, derived.then_by, derived.arrival, derived.reached_at) end as derived,
        case when stored.points is not null then
          format('%s points, %s by the second key, arrival %s, at %s',
            stored.points, stored.then_by, stored.arrival, stored.reached_at) end as stored
      from derived
      full join stored using (period_id, member)
      where (derived.points, derived.then_by, derived.arrival, derived.reached_at)
        is distinct from (stored.points, stored.then_by, stored.arrival, stored.reached_at)
      order by period_id, member
      """;

  /**
   * The place and the rank of each line among the others: those who have no rank behind all who
   * have, and those who are hidden nowhere.
   */
  static final String PLACES_FROM_LINES =
      """
      with shown as (
        select
          line.*,
          revision.period_id,
          case frozen.level when 'hidden' then 2 when 'unranked' then 1 else 0 end as section
        from line
        join revision on revision.id = line.outcome
        left join frozen_exclusion frozen
          on frozen.period_id = revision.period_id
          and frozen.revision = revision.revision
          and frozen.member = line.member
        where line.outcome = any(:outcomes)
      ), numbered as (
        select
          *,
          case when section < 2 then row_number() over exact end as derived_place,
          case when section = 0 then
            case :method
              when 'unique' then row_number() over exact
              when 'competition' then rank() over tied
              else dense_rank() over tied
            end
          end as derived_rank
        from shown
        window
          exact as (
            partition by outcome
            order by
              section,
              :pointsSign * points,
              :thenSign * coalesce(then_by, 0),
              coalesce(arrival, 0),
              reached_at,
              member desc),
          tied as (
            partition by outcome
            order by section, :pointsSign * points, :thenSign * coalesce(then_by, 0))
      )
      select
        period_id,
        'line of ' || member
          || case when :revision <> 1 then ' in revision ' || :revision else '' end as what,
        format('%s, %s', coalesce('place ' || derived_place, 'no place'),
          coalesce('rank ' || derived_rank, 'no rank')) as derived,
        format('%s, %s', coalesce('place ' || place, 'no place'),
          coalesce('rank ' || rank, 'no rank')) as stored
      from numbered
      where (derived_place, derived_rank) is distinct from (place, rank)
      order by outcome, derived_place
      """;
}
