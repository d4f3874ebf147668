package palmares.audit;

/**
 * What is derived from the journal: events, snapshot, standings. Each statement but the counts
 * answers rows of {@code period_id, what, derived, stored} where the two differ: null on the left
 * is something extra, null on the right something missing.
 */
final class FameSql {
  private FameSql() {}

  static final String COUNTS =
      """
      select
        cardinality(:ids::bigint[]) as periods,
        (select count(*) from standing where period_id = any(:ids)) as standings,
        (select count(*) from award where period_id = any(:ids)) as awards,
        (select count(*) from transfer where period_id = any(:ids)) as transfers
      """;

  static final String POPULATION =
      """
      with frozen as (
        select period_id, count(*) as members, sum(points) as points
        from snapshot
        where period_id = any(:ids)
        group by period_id
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
          coalesce(decided.events, 0) as events
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
   * By every rule at once, told by parameters: a sum where points add up, else the one event that
   * holds by the order of its keys.
   */
  static final String SNAPSHOT_FROM_JOURNAL =
      """
      with fact as (
        select
          period_id,
          member,
          seq,
          points,
          value,
          then_by,
          case when :arrivals then seq else 0 end as arrival,
          date_bin(:tick::interval, occurred_at, 'epoch') as at
        from event
        where period_id = any(:ids) and outcome in ('applied', 'undone', 'unchanged')
      ), added as (
        select
          period_id,
          member,
          sum(points) as points,
          sum(then_by) as then_by,
          max(arrival) as arrival,
          max(at) as reached_at
        from fact
        where :scoring = 'add'
        group by period_id, member
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
        from fact
        where :scoring <> 'add'
      ), derived as (
        select added.period_id, added.member, added.points, added.then_by, added.arrival,
          coalesce(fact.at, added.reached_at) as reached_at
        from added
        left join fact on :arrivals
          and fact.period_id = added.period_id and fact.seq = added.arrival
        union all
        select period_id, member, points, then_by, arrival, reached_at
        from numbered
        where choice = 1
      ), stored as (
        select period_id, member, points, then_by, arrival, reached_at
        from snapshot
        where period_id = any(:ids)
      )
      select
        period_id,
        'snapshot of ' || member as what,
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
   * Of one revision: its corrected lines in the place of the snapshot's, without those who are
   * hidden, and those without a rank behind all others. Lines of a revision that there is none of
   * are extra in the first.
   */
  static final String STANDINGS_FROM_SNAPSHOT =
      """
      with corrected as (
        select period_id, member, points, then_by, arrival, reached_at
        from amended_line
        where period_id = any(:ids) and revision = :revision
      ), line as (
        select period_id, member, points, then_by, arrival, reached_at
        from corrected
        union all
        select period_id, member, points, then_by, arrival, reached_at
        from snapshot
        where period_id = any(:ids)
          and not exists (
            select from corrected
            where corrected.period_id = snapshot.period_id and corrected.member = snapshot.member)
      ), frozen as (
        select period_id, member, level
        from frozen_exclusion
        where period_id = any(:ids) and revision = :revision
      ), shown as (
        select line.*, case when frozen.level = 'unranked' then 1 else 0 end as behind
        from line
        left join frozen using (period_id, member)
        where coalesce(frozen.level, '') <> 'hidden'
      ), derived as (
        select
          period_id,
          :revision as revision,
          member,
          points,
          then_by,
          arrival,
          reached_at,
          row_number() over exact as place,
          case
            when behind = 1 then null
            when :method = 'unique' then row_number() over exact
            when :method = 'competition' then rank() over tied
            else dense_rank() over tied
          end as rank
        from shown
        window
          exact as (
            partition by period_id, behind
            order by
              :pointsSign * points,
              :thenSign * then_by,
              arrival,
              reached_at,
              member collate "C" desc),
          tied as (
            partition by period_id, behind order by :pointsSign * points, :thenSign * then_by)
      ), ranked as (
        select period_id, count(*) as members
        from shown
        where behind = 0
        group by period_id
      ), placed as (
        select
          derived.*,
          derived.place + case when derived.rank is null then coalesce(ranked.members, 0) else 0 end
            as final_place
        from derived
        left join ranked using (period_id)
      ), stored as (
        select period_id, revision, member, points, then_by, arrival, reached_at, place, rank
        from standing
        where period_id = any(:ids)
          and (revision = :revision
            or :revision = 1 and not exists (
              select from revision known
              where known.period_id = standing.period_id
                and known.revision = standing.revision))
      )
      select
        period_id,
        'standing of ' || member
          || case when revision <> 1 then ' in revision ' || revision else '' end as what,
        case when derived.final_place is not null then
          format('place %s, %s, %s points, %s by the second key, at %s', derived.final_place,
            coalesce('rank ' || derived.rank, 'no rank'), derived.points, derived.then_by,
            derived.reached_at) end as derived,
        case when stored.place is not null then
          format('place %s, %s, %s points, %s by the second key, at %s', stored.place,
            coalesce('rank ' || stored.rank, 'no rank'), stored.points, stored.then_by,
            stored.reached_at) end as stored
      from placed derived
      full join stored using (period_id, revision, member)
      where (derived.final_place, derived.rank, derived.points, derived.then_by, derived.arrival,
          derived.reached_at)
        is distinct from (stored.place, stored.rank, stored.points, stored.then_by,
          stored.arrival, stored.reached_at)
      order by period_id, revision, coalesce(derived.final_place, stored.place)
      """;
}
