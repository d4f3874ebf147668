package palmares.settlement.verification;

/** Whether persons were asked where the rules ask for them, in rows as those of {@link LineSql}. */
final class HoldSql {
  private HoldSql() {}

  /**
   * By the rules that the period opened under: what they hold for a person is posted by a person's
   * word, or not before the hour of release where there is one; and where they want two people, two
   * who did not shape the outcome stand behind it, by the audit log and by the approvals kept with
   * it.
   */
  static final String HOLDS_FROM_RULES =
      """
      with posted as (
        select
          revision.*,
          base is null
            and :approval <> 'none'
            and decided_by = 'the board''s rules'
            and not (:releases and coalesce(release_at <= decided_at, false)) as unasked,
          (:approval = 'two-person' or two_person) and (
            decided_by = prepared_by
            or 2 > (
              select count(*) from approver
              where approver.period_id = revision.period_id
                and approver.revision = revision.revision)
            or 2 > (
              select count(*)
              from (
                select lower(btrim(act.by)) as name
                from act
                where act.verb = 'approve'
                  and act.board = period.board
                  and act.period = period.name
                  and act.revision = revision.revision
                  and act.at >= revision.prepared_at
                union
                select lower(btrim(closed_by)) where closed_by is not null
              ) person
              where not exists (
                select from shaper
                where shaper.period_id = revision.period_id
                  and shaper.revision = revision.revision
                  and shaper.name = person.name))) as alone
        from revision
        join period on period.id = revision.period_id
        where period_id = any(:ids)
          and posted_at is not null
      )
      select
        period_id,
        'approval of revision ' || revision as what,
        case when unasked then 'a person''s' else 'two people''s' end as derived,
        decided_by as stored
      from posted
      where unasked or alone
      order by period_id, revision
      """;
}
