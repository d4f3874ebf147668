package palmares.proof;

/**
 * The fields of manifests as the tables tell them now: rows of {@code period_id, field, value} for
 * one {@code :revision} of the periods {@code :ids}, whose board's zone is {@code :zone}, and whose
 * prizes are for those who have between {@code :least} and {@code :most} points and, if {@code
 * :registeredOnly}, had registered by the end.
 *
 * <p>A checksum is the sum of the first eight bytes of each row's SHA-256, so that it needs no
 * order and no memory: it tells that something was changed, not what.
 */
public final class ManifestSql {
  private ManifestSql() {}

  /** The rows' order is that of the fields' names. */
  public static final String FIELDS =
      """
      with subject as (
        select period.*, whole.base, whole.definition_hash as rules, whole.owed, whole.prepared_by,
          whole.prepared_at, whole.reason, whole.held_for, whole.verdict, whole.decided_by,
          whole.decided_at, whole.verdict_reason, whole.ties, whole.ties_by,
          whole.closed_by, whole.two_person, whole.posted_at, whole.frozen_at
        from period
        join revision as whole on whole.period_id = period.id and whole.revision = :revision
        where period.id = any(:ids)
      )
      select subject.id as period_id, field, value
      from subject
      left join (
        select
          period_id,
          count(*) as lines,
          sum(points) as points,
          sum(%1$s) as sum
        from (
          select *, concat_ws('|', points, then_by, arrival, %2$s, member) as line
          from (select *, reached_at as at from snapshot where period_id = any(:ids)) as row
        ) as snapshot
        group by period_id
      ) snapshot on snapshot.period_id = subject.id
      left join (
        select period_id, count(*) as lines, sum(%1$s) as sum
        from (
          select period_id, concat_ws(
            '|', seq, outcome, quantity, points, quote_nullable(value), then_by,
            quote_nullable(digest), quote_nullable(action), %2$s, quote_nullable(subject),
            quote_nullable(id), member) as line
          from (select *, occurred_at as at from event where period_id = any(:ids)) as row
        ) as journal
        group by period_id
      ) journal on journal.period_id = subject.id
      left join (
        select
          period_id,
          count(*) as lines,
          count(rank) as ranked,
          count(rank) filter (where may) as eligible,
          sum(%1$s) as sum
        from (
          select *, concat_ws('|', place, coalesce(rank, 0), points, then_by, arrival, %2$s, member)
            as line
          from (
            select
              standing.*,
              reached_at as at,
              points between :least and :most
                and frozen.member is null
                and (not :registeredOnly
                  or coalesce(registered.registered_at < ended.ends_at, false)) as may
            from standing
            join (select id as period_id, ends_at from period) ended using (period_id)
            left join frozen_exclusion frozen using (period_id, revision, member)
            left join member registered on :registeredOnly and registered.id = standing.member
            where standing.period_id = any(:ids) and standing.revision = :revision) as row
        ) as standing
        group by period_id
      ) standing on standing.period_id = subject.id
      left join (
        select
          period_id,
          sum(lines) as lines,
          sum(sum) as sum,
          string_agg(
            format('%%s %%s: %%s awards, %%s', rule, currency, lines, amount), '; '
            order by rule collate "C", currency collate "C") as list
        from (
          select
            period_id, rule, currency, count(*) as lines, sum(credits) as amount, sum(%1$s) as sum
          from (
            select *, concat_ws('|', credits, currency, rule, member) as line
            from award
            where period_id = any(:ids) and revision = :revision
          ) as row
          group by period_id, rule, currency
        ) as by_rule
        group by period_id
      ) award on award.period_id = subject.id
      left join (
        select
          period_id,
          sum(lines) as lines,
          sum(sum) as sum,
          string_agg(
            format('%%s %%s: %%s transfers, %%s', purpose, currency, lines, amount), '; '
            order by purpose collate "C", currency collate "C") as list
        from (
          select
            period_id,
            purpose,
            currency,
            sum(lines) as lines,
            sum(amount) as amount,
            sum(sum) as sum
          from (
            select
              period_id,
              purpose,
              from_account,
              count(*) as lines,
              sum(amount) as amount,
              sum(%1$s) as sum
            from (
              select
                *,
                concat_ws('|', id, from_account, to_account, amount, purpose, fence, %2$s, rule,
                  member) as line
              from (
                select *, posted_at as at from transfer
                where period_id = any(:ids) and revision = :revision) as row
            ) as transfer
            group by period_id, purpose, from_account
          ) as by_payer
          join account on account.id = from_account
          group by period_id, purpose, currency
        ) as by_purpose
        group by period_id
      ) transfer on transfer.period_id = subject.id
      cross join lateral (
        select string_agg(
          format('%%s: %%s', level, lines), '; ' order by level collate "C") as list,
          sum(sum) as sum
        from (
          select level, count(*) as lines, sum(%1$s) as sum
          from (
            select level, concat_ws('|', exclusion_id, level, member) as line
            from frozen_exclusion
            where period_id = subject.id and revision = :revision
          ) as frozen
          group by level
        ) as by_level
      ) excluded
      cross join lateral (
        select count(*) as lines, sum(%1$s) as sum
        from (
          select concat_ws('|', n, kind, points, then_by, %2$s, quote_nullable(event_id),
            quote_nullable(reason), quote_nullable(made_by), made_at at time zone 'UTC', member)
            as line
          from correction
          where period_id = subject.id and revision = :revision
        ) as correction
      ) corrected
      left join lateral (
        select format(
          '%%s members, %%s points and %%s events were left, as %%s acknowledged at %%s: %%s',
          members, points, events, made_by, %11$s, loss.reason) as text
        from acknowledged_loss loss
        where period_id = subject.id
          and fence = (select max(fence) from acknowledged_loss where period_id = subject.id)
      ) lost on true
      cross join lateral (
        select sum(%1$s) as sum
        from (
          select concat_ws('|', fence, members, points, events) as line
          from acknowledged_loss
          where period_id = subject.id
          union all
          select concat_ws('|', fence, points, quote_nullable(rebuilt_points), member)
          from acknowledged_loss_line
          where period_id = subject.id
        ) as row
      ) lost_line
      cross join lateral (
        select string_agg(
          format('%%s at %%s: %%s', approval.by, %12$s, approval.reason), '; '
          order by approval.at, approval.by collate "C") as list
        from approval
        where period_id = subject.id and revision = :revision
      ) approved
      left join manifest former on former.period_id = subject.id and former.revision = subject.base
      cross join lateral (
        values
          ('board', board),
          ('period', name),
          ('revision', :revision::text),
          ('amends', base::text),
          ('amends-manifest', former.hash),
          ('definition', definition_hash),
          ('rules', rules),
          ('starts-at', %3$s),
          ('ends-at', %4$s),
          ('zone', :zone),
          ('sealed-at', %8$s),
          ('settled-at', %9$s),
          ('frozen-at', %10$s),
          ('sealed-members', sealed_members::text),
          ('sealed-points', sealed_points::text),
          ('sealed-events', sealed_events::text),
          ('rebuilt-members', rebuilt_members::text),
          ('rebuilt-points', rebuilt_points::text),
          ('rebuilt-events', rebuilt_events::text),
          ('acknowledged-loss', lost.text),
          ('acknowledged-loss-checksum', lost_line.sum::text),
          ('events', coalesce(journal.lines, 0)::text),
          ('events-checksum', journal.sum::text),
          ('snapshot-members', coalesce(snapshot.lines, 0)::text),
          ('snapshot-points', snapshot.points::text),
          ('snapshot-checksum', snapshot.sum::text),
          ('exclusions', excluded.list),
          ('exclusions-checksum', excluded.sum::text),
          ('corrections', nullif(corrected.lines, 0)::text),
          ('corrections-checksum', corrected.sum::text),
          ('standings', coalesce(standing.lines, 0)::text),
          ('ranked', coalesce(standing.ranked, 0)::text),
          ('eligible', coalesce(standing.eligible, 0)::text),
          ('standings-checksum', standing.sum::text),
          ('awards', coalesce(award.lines, 0)::text),
          ('awards-by-rule', award.list),
          ('awards-checksum', award.sum::text),
          ('transfers', coalesce(transfer.lines, 0)::text),
          ('transfers-by-purpose', transfer.list),
          ('transfers-checksum', transfer.sum::text),
          ('owed', owed),
          ('closed-by', closed_by),
          ('two-person', case when two_person then 'true' end),
          ('approved-by', approved.list),
          ('prepared-by', prepared_by),
          ('prepared-at', %5$s),
          ('reason', reason),
          ('held-for', nullif(array_to_string(held_for, '; '), '')),
          ('verdict', verdict),
          ('decided-by', decided_by),
          ('decided-at', %6$s),
          ('verdict-reason', verdict_reason),
          ('ties', ties),
          ('ties-by', ties_by),
          ('posted-at', %7$s)
      ) as told (field, value)
      where value is not null
      order by subject.id, field collate "C"
      """
          .formatted(
              "first_of_sha256(line)",
              "coalesce(micros(at), 0)",
              time("starts_at"),
              time("ends_at"),
              time("prepared_at"),
              time("decided_at"),
              time("posted_at"),
              time("sealed_at"),
              time("settled_at"),
              time("frozen_at"),
              time("made_at"),
              time("approval.at"));

  private static String time(String column) {
    return "to_char(%s at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')".formatted(column);
  }
}
