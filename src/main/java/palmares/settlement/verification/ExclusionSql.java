package palmares.settlement.verification;

/**
 * What a revision's exclusions must be. Each statement answers rows as those of {@link LineSql} do.
 */
final class ExclusionSql {
  private ExclusionSql() {}

  /**
   * What is frozen is what an exclusion said that covers the period, and nothing stronger that was
   * in force is left out. What was made or lifted in the very moment of the freeze may be in it or
   * not.
   */
  static final String FROZEN_FROM_EXCLUSIONS =
      """
      with judged as (
        select
          revision.period_id,
          revision.frozen_at,
          period.board,
          period.starts_at,
          period.ends_at
        from revision
        join period on period.id = revision.period_id
        where revision.period_id = any(:ids) and revision.revision = :revision
      ), covering as (
        select
          judged.period_id,
          exclusion.*,
          array_position(array['no-prize', 'unranked', 'hidden'], exclusion.level) as weight,
          judged.frozen_at
        from judged
        join exclusion
          on (exclusion.board is null or exclusion.board = judged.board)
          and (exclusion.starts_at is null or exclusion.starts_at < judged.ends_at)
          and (exclusion.ends_at is null or exclusion.ends_at > judged.starts_at)
          and (exclusion.lifted_at is null or exclusion.lifted_at >= judged.frozen_at)
      ), stored as (
        select
          period_id,
          revision,
          member,
          exclusion_id as id,
          array_position(array['no-prize', 'unranked', 'hidden'], level) as weight,
          format('%s on %s from %s until %s by %s: %s', level, coalesce(board, 'every board'),
            coalesce(starts_at::text, 'ever'), coalesce(ends_at::text, 'ever'), made_by, reason)
            as told
        from frozen_exclusion
        where period_id = any(:ids)
          and (revision = :revision
            or :revision = 1 and not exists (
              select from revision known
              where known.period_id = frozen_exclusion.period_id
                and known.revision = frozen_exclusion.revision))
      ), derived as (
        select
          period_id,
          :revision as revision,
          member,
          id,
          weight,
          made_at < frozen_at and (lifted_at is null or lifted_at > frozen_at) as sure,
          format('%s on %s from %s until %s by %s: %s', level, coalesce(board, 'every board'),
            coalesce(starts_at::text, 'ever'), coalesce(ends_at::text, 'ever'), made_by, reason)
            as told
        from covering
      ), strongest as (
        select distinct on (period_id, member) period_id, revision, member, weight, told
        from derived
        where sure and (
          exists (
            select from line
            join revision closing on closing.id = line.outcome
            where closing.period_id = derived.period_id
              and line.member = derived.member
              and line.outcome = any(:closings))
          or exists (
            select from amended_line
            where amended_line.period_id = derived.period_id
              and amended_line.revision = :revision
              and amended_line.member = derived.member))
        order by period_id, member, weight desc, id
      ), differing as (
        select
          stored.period_id,
          stored.revision,
          stored.member,
          derived.told as derived,
          stored.told as stored
        from stored
        left join derived using (period_id, revision, member, id)
        where derived.told is distinct from stored.told
        union all
        select
          strongest.period_id, strongest.revision, strongest.member, strongest.told, stored.told
        from strongest
        left join stored using (period_id, revision, member)
        where stored.weight is null or stored.weight < strongest.weight
      )
      select
        period_id,
        'frozen exclusion of ' || member
          || case when revision <> 1 then ' in revision ' || revision else '' end as what,
        derived,
        stored
      from differing
      order by period_id, member
      """;

  /** Each exclusion, and each lifting of one, was an act of that person for that reason. */
  static final String EXCLUSIONS_FROM_ACTS =
      """
      with derived as (
        select verb, member, at, board, by, reason, count(*) as times
        from act
        where verb in ('exclude', 'lift')
        group by verb, member, at, board, by, reason
      ), stored as (
        select verb, member, at, board, by, reason, count(*) as times
        from (
          select 'exclude' as verb, member, made_at as at, board, made_by as by, reason
          from exclusion
          union all
          select 'lift', member, lifted_at, board, lifted_by, lift_reason
          from exclusion
          where lifted_at is not null
        ) told
        group by verb, member, at, board, by, reason
      ), derived_told as (
        select
          verb, member, at, times,
          format('%s time(s) on %s by %s: %s', times, coalesce(board, 'every board'), by, reason)
            as told
        from derived
      ), stored_told as (
        select
          verb, member, at, times,
          format('%s time(s) on %s by %s: %s', times, coalesce(board, 'every board'), by, reason)
            as told
        from stored
      )
      select
        0 as period_id,
        format('act to %s %s at %s', verb, member, at) as what,
        derived_told.told as derived,
        stored_told.told as stored
      from derived_told
      full join stored_told using (verb, member, at, told)
      where derived_told.times is null or stored_told.times is null
      order by 2
      """;
}
