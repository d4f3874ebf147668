package palmares.audit;

/**
 * Rows that others rest on must be there, whole. Each statement answers rows as those of {@link
 * FameSql} do.
 */
final class WholeSql {
  private WholeSql() {}

  /** Of everything, whatever period. */
  static final String FOUNDATIONS =
      """
      select
        0 as period_id,
        'period with id ' || revision.period_id as what,
        'a row, since revision ' || revision.revision || ' is about it' as derived,
        null as stored
      from revision
      left join period on period.id = revision.period_id
      where period.id is null
      union all
      select 0, format('definition %s of %s', used.hash, used.board), 'a row', null
      from (
        select definition_hash as hash, board from period
        union
        select revision.definition_hash, period.board
        from revision
        join period on period.id = revision.period_id
      ) used
      left join definition using (hash)
      where definition.hash is null
      union all
      select 0, 'definition ' || hash, 'of a board with such a period', board
      from definition
      where exists (select from period where period.definition_hash = definition.hash)
        and not exists (
          select from period
          where period.definition_hash = definition.hash and period.board = definition.board)
      union all
      select
        0,
        format('hash of the definition of %s, first used at %s', board, first_used_at),
        encode(sha256(convert_to(source, 'UTF8')), 'hex'),
        hash
      from definition
      where hash <> encode(sha256(convert_to(source, 'UTF8')), 'hex')
      """;

  /** What was copied of a period's board, and how far its journal was drained. */
  static final String COPIES =
      """
      with copied as (
        select period_id, sum(members) as members, sum(points) as points, max(slice) as last,
          count(*) as slices
        from snapshot_slice
        where period_id = any(:ids)
        group by period_id
      )
      select
        period.id as period_id,
        'slices of the snapshot' as what,
        format('%s members, %s points', sealed_members, sealed_points) as derived,
        format('%s members, %s points', coalesce(members, 0), coalesce(points, 0)) as stored
      from period
      left join copied on copied.period_id = period.id
      where period.id = any(:ids)
        and ((sealed_members, sealed_points)
            is distinct from (coalesce(members, 0), coalesce(points, 0))
          or last + 1 <> slices)
      union all
      select period.id, 'drained of the journal', sealed_events::text, drained::text
      from period
      left join journal_position on journal_position.period_id = period.id
      where period.id = any(:ids) and sealed_events <> coalesce(drained, 0)
      """;
}
