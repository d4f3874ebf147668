package palmares.audit;

/** Whether persons were asked where the rules ask for them, in rows as those of {@link FameSql}. */
final class HoldSql {
  private HoldSql() {}

  /**
   * By the rules that the period opened under: what they hold for a person is posted by a person's
   * word, or not before the hour of release where there is one; and where they want a second
   * person, it is one. What an earlier version closed was never held.
   */
  static final String HOLDS_FROM_RULES =
      """
      with posted as (
        select
          *,
          base is null
            and :approval <> 'none'
            and decided_by in ('the board''s rules', 'an earlier version')
            and not (:releases and coalesce(release_at <= decided_at, false)) as unasked,
          :approval = 'two-person' and decided_by = prepared_by as alone
        from revision
        where period_id = any(:ids)
          and posted_at is not null
          and not (prepared_by = 'an earlier version' and decided_by = 'an earlier version')
      )
      select
        period_id,
        'approval of revision ' || revision as what,
        case when unasked then 'a person''s' else 'a second person''s' end as derived,
        decided_by as stored
      from posted
      where unasked or alone
      order by period_id, revision
      """;
}
