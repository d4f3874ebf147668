package palmares.settlement.verification;

/**
 * What holds of the revisions of settled periods. Each statement answers rows as those of {@link
 * LineSql} do.
 */
final class RevisionSql {
  private RevisionSql() {}

  /** All of the periods {@code :ids}, in the order in which they are verified. */
  static final String OUTCOMES =
      """
      select period_id, revision as number, id, definition_hash, posted_at is not null as posted
      from revision
      where period_id = any(:ids)
      order by revision, definition_hash, period_id
      """;

  /**
   * By what was counted when it was written, which {@link ManifestVerification} compares with the
   * rows.
   */
  static final String COUNTS =
      """
      select
        cardinality(:ids::bigint[]) as periods,
        coalesce(sum(lines), 0)::bigint as lines,
        coalesce(sum(payments), 0)::bigint as payments
      from revision
      where period_id = any(:ids) and posted_at is not null
      """;

  /**
   * A settled period stands in the latest posted revision. What is posted was approved, by a person
   * whose decision is in the audit log or by the board's rules; and it alone has a manifest. What
   * is archived was archived by a person.
   */
  static final String STANDING_REVISION =
      """
      select
        period.id as period_id,
        'the revision that stands' as what,
        posted.revision::text as derived,
        period.revision::text as stored
      from period
      left join lateral (
        select max(revision) as revision
        from revision
        where revision.period_id = period.id and posted_at is not null
      ) posted on true
      where period.id = any(:ids) and posted.revision is distinct from period.revision
      union all
      select period_id, 'posting of revision ' || revision, null, decided_by
      from revision
      where period_id = any(:ids) and posted_at is not null
        and (verdict is distinct from 'approved'
          or (base is not null and decided_by = 'the board''s rules')
          or (decided_by <> 'the board''s rules' and not exists (
            select from act
            join period on period.id = revision.period_id
            where act.verb = 'approve'
              and act.board = period.board
              and act.period = period.name
              and act.revision = revision.revision
              and act.by = revision.decided_by
              and act.reason = revision.verdict_reason)))
      union all
      select period_id, 'manifest of revision ' || revision, null, hash
      from manifest
      join revision using (period_id, revision)
      where period_id = any(:ids) and posted_at is null
      union all
      select id, 'archiving', null, 'at ' || archived_at
      from period
      where id = any(:ids)
        and archived_at is not null
        and not exists (
          select from act
          where act.verb = 'archive'
            and act.board = period.board
            and act.period = period.name)
      order by 1, 2
      """;

  /** No act was changed or removed since: each is linked to the one before it. */
  static final String CHAIN_OF_ACTS =
      """
      with chained as (
        select n, act_id, hash as stored, lag(hash, 1, '') over (order by n) as former
        from act_link
      ), derived as (
        select
          coalesce(act.id, act_id) as id,
          act.verb,
          act.by,
          act.at,
          case when act.id is null then null when n is null then 'a link'
            else encode(sha256(convert_to(concat_ws('|',
              former,
              (extract(epoch from act.at) * 1000000)::bigint,
              quote_nullable(act.by),
              quote_nullable(act.verb),
              quote_nullable(act.board),
              quote_nullable(act.period),
              quote_nullable(act.revision),
              quote_nullable(act.member),
              quote_nullable(act.reason)), 'UTF8')), 'hex') end as derived,
          stored
        from chained
        full join act on act.id = act_id
      )
      select
        0 as period_id,
        concat_ws(' ', 'act', id || ':', verb, 'by ' || by, 'at ' || at) as what,
        derived,
        stored
      from derived
      where derived is distinct from stored
      order by id
      """;
}
