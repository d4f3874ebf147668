package palmares.settlement.verification;

/**
 * What amendments change in the frozen board, compared with why: each statement answers rows of
 * {@code period_id, what, derived, stored}, as those of {@link LineSql} do.
 */
final class CorrectionSql {
  private CorrectionSql() {}

  /**
   * Each corrected line, folded from the closing's line and the corrections in their order: sums
   * where points add up, else the one value that holds; points put right by hand are added to
   * either.
   */
  static final String LINES_FROM_CORRECTIONS =
      """
      with recursive numbered as (
        select
          period_id,
          revision,
          member,
          kind = 'late-event' as late,
          points,
          then_by,
          date_bin(:tick::interval, at, 'epoch') as at,
          n,
          row_number() over (partition by period_id, revision, member order by n) as turn
        from correction
        where period_id = any(:ids)
      ), folded as (
        select
          first.period_id,
          first.revision,
          first.member,
          0::bigint as turn,
          line.points,
          case when line.member is not null then coalesce(line.then_by, 0) end as then_by,
          case when line.member is not null then coalesce(line.arrival, 0) end as arrival,
          line.reached_at
        from numbered first
        join revision closing
          on closing.period_id = first.period_id and closing.revision = 1
        left join line
          on line.outcome = closing.id
          and line.member = first.member
          and line.outcome = any(:closings)
        where first.turn = 1
        union all
        select
          folded.period_id,
          folded.revision,
          folded.member,
          next.turn,
          case when alone or (takes and :scoring <> 'add') then next.points
            when takes or not next.late then folded.points + next.points
            else folded.points end,
          case when alone or (takes and :scoring <> 'add') then next.then_by
            when takes or not next.late then folded.then_by + next.then_by
            else folded.then_by end,
          case when not :arrivals then 0
            when alone or takes then coalesce(period.rebuilt_events, period.sealed_events) + next.n
            else folded.arrival end,
          case when alone or (takes and (:arrivals or :scoring <> 'add')) then next.at
            when takes then greatest(folded.reached_at, next.at)
            else folded.reached_at end
        from folded
        join numbered next
          on next.period_id = folded.period_id
          and next.revision = folded.revision
          and next.member = folded.member
          and next.turn = folded.turn + 1
        join period on period.id = folded.period_id
        cross join lateral (
          select
            folded.points is null as alone,
            next.late and case :scoring
              when 'add' then true
              when 'latest' then :arrivals or next.at >= folded.reached_at
              else
                (:pointsSign * next.points, :thenSign * next.then_by)
                  < (:pointsSign * folded.points, :thenSign * folded.then_by)
                or ((next.points, next.then_by) = (folded.points, folded.then_by)
                  and not :arrivals
                  and next.at < folded.reached_at)
            end as takes
        ) step
      ), derived as (
        select distinct on (period_id, revision, member) *
        from folded
        order by period_id, revision, member, turn desc
      ), stored as (
        select period_id, revision, member, points, then_by, arrival, reached_at
        from amended_line
        where period_id = any(:ids)
      )
      select
        period_id,
        'amended line of ' || member || ' in revision ' || revision as what,
        case when derived.member is not null then
          format('%s points, %s by the second key, arrival %s, at %s', derived.points,
            derived.then_by, derived.arrival, derived.reached_at) end as derived,
        case when stored.member is not null then
          format('%s points, %s by the second key, arrival %s, at %s', stored.points,
            stored.then_by, stored.arrival, stored.reached_at) end as stored
      from derived
      full join stored using (period_id, revision, member)
      where (derived.points, derived.then_by, derived.arrival, derived.reached_at)
        is distinct from (stored.points, stored.then_by, stored.arrival, stored.reached_at)
      order by period_id, revision, member
      """;

  /**
   * Corrections by late events, from what was told and the rules; and those of amended revisions,
   * which the amending ones keep. A rejected revision's events may be decided on anew.
   */
  static final String CORRECTIONS_FROM_LATE_EVENTS =
      """
      with worth as (
        select * from unnest(:actions::text[], :points::bigint[]) as worth (action, points)
      ), made as (
        select correction.*
        from correction
        join revision using (period_id, revision)
        where period_id = any(:ids) and revision.verdict is distinct from 'rejected'
      ), derived as (
        select
          made.period_id,
          made.revision,
          late_event.id as event_id,
          late_event.member,
          case when late_event.undo then gift.points
            when :scoring <> 'add' then late_event.value
            else worth.points * late_event.quantity end as points,
          case when late_event.undo then gift.then_by
            when :seconds then coalesce(late_event.then_by, 0)
            else 0 end as then_by,
          late_event.occurred_at as at
        from made
        join period on period.id = made.period_id
        join late_event
          on late_event.board = period.board
          and late_event.period = period.name
          and late_event.id = made.event_id
        left join worth on worth.action = late_event.action
        left join lateral (
          select -given.points as points, -given.then_by as then_by
          from (
            select points, then_by, seq as turn, 1 as source
            from event
            where event.period_id = made.period_id
              and event.member = late_event.member
              and event.action = late_event.action
              and event.subject = late_event.subject
              and event.outcome = 'applied'
            union all
            select earlier.points, earlier.then_by, earlier.n, 2
            from correction earlier
            join late_event given
              on given.board = period.board
              and given.period = period.name
              and given.id = earlier.event_id
            where earlier.period_id = made.period_id
              and earlier.revision = made.revision
              and earlier.n < made.n
              and given.member = late_event.member
              and given.action = late_event.action
              and given.subject = late_event.subject
              and not given.undo
          ) given
          order by source desc, turn desc
          limit 1
        ) gift on late_event.undo
        where made.kind = 'late-event' and late_event.verdict = 'accepted'
      ), stored as (
        select period_id, revision, event_id, member, points, then_by, at
        from made
        where kind = 'late-event'
      ), told as (
        select
          period_id,
          revision,
          'late event ' || event_id as what,
          case when derived.member is not null then format('%s points, %s by the second key, of %s'
            ' at %s', derived.points, derived.then_by, derived.member, derived.at) end as derived,
          case when stored.member is not null then format('%s points, %s by the second key, of %s'
            ' at %s', stored.points, stored.then_by, stored.member, stored.at) end as stored
        from derived
        full join stored using (period_id, revision, event_id)
        where (derived.member, derived.points, derived.then_by, derived.at)
          is distinct from (stored.member, stored.points, stored.then_by, stored.at)
      ), kept as (
        select
          base.period_id,
          revision.revision,
          'correction ' || base.n as what,
          format('%s points of %s', base.points, base.member) as derived,
          case when made.n is not null then
            format('%s points of %s', made.points, made.member) end as stored
        from correction base
        join revision
          on revision.period_id = base.period_id and revision.base = base.revision
        left join made
          on made.period_id = base.period_id
          and made.revision = revision.revision
          and made.n = base.n
        where base.period_id = any(:ids)
          and revision.verdict is distinct from 'rejected'
          and (base.member, base.kind, base.event_id, base.points, base.then_by, base.at,
              base.reason, base.made_by, base.made_at)
            is distinct from (made.member, made.kind, made.event_id, made.points, made.then_by,
              made.at, made.reason, made.made_by, made.made_at)
      )
      select period_id, what || ' in revision ' || revision as what, derived, stored
      from (select * from told union all select * from kept) difference
      order by period_id, revision, what
      """;
}
