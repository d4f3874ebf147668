package palmares.settlement.manifest;

/**
 * The fields of manifests: rows of {@code period_id, field, value} for one {@code :revision} of the
 * periods {@code :ids}, whose outcomes are {@code :outcomes}, whose board's zone is {@code :zone},
 * and whose prizes are for those who have between {@code :least} and {@code :most} points and, if
 * {@code :registeredOnly}, had registered by the end. The awards of amendments are the sum of their
 * payments and of those before: of {@code :parts}, which is empty for closings.
 *
 * <p>A checksum is the sum of the first eight bytes of each row's SHA-256, so that it needs no
 * order and no memory: it tells that something was changed, not what. {@link
 * palmares.settlement.outcome.OutcomeTables} names the tables <code>{lines}</code> and <code>
 * {payments}</code>.
 */
public final class ManifestSql {
  private ManifestSql() {}

  /** What the manifest is of. */
  private static final String SUBJECT =
      """
      with subject as (
        select period.*, whole.id as outcome, whole.base, whole.definition_hash as rules,
          whole.owed, whole.prepared_by, whole.prepared_at, whole.reason, whole.held_for,
          whole.release_at, whole.verdict, whole.decided_by, whole.decided_at,
          whole.verdict_reason, whole.ties, whole.ties_by, whole.closed_by, whole.two_person,
          whole.posted_at, whole.frozen_at, whole.filled_at, whole.fence as posted_under,
          whole.lines, whole.line_sum, whole.payments, whole.payment_sum
        from period
        join revision as whole on whole.period_id = period.id and whole.revision = :revision
        where period.id = any(:ids) and whole.id = any(:outcomes)
      )
      """;

  /** As they were counted and added up when they were written. */
  private static final String COUNTED =
      """
      , journal as (
        select period_id, drained as lines, checksum as sum
        from journal_position
        where period_id = any(:ids)
      ), counted as (
        select outcome, lines, line_sum, payments, payment_sum from subject
      )
      """;

  /** From every row that is stored. */
  private static final String RECOUNTED =
      """
      , journal as (
        select period_id, count(*) as lines, sum(event_hash(event)) as sum
        from event
        where period_id = any(:ids)
        group by period_id
      ), counted as (
        select
          subject.outcome,
          coalesce(line.lines, 0) as lines,
          coalesce(line.line_sum, 0) as line_sum,
          coalesce(payment.payments, 0) as payments,
          coalesce(payment.payment_sum, 0) as payment_sum
        from subject
        left join (
          select
            outcome,
            count(*) as lines,
            sum(line_hash(place, rank, points, then_by, arrival, reached_at, member)) as line_sum
          from {lines} line
          where outcome = any(:outcomes)
          group by outcome
        ) line using (outcome)
        left join (
          select
            outcome,
            count(*) as payments,
            sum(payment_hash(rule, purpose, amount, member)) as payment_sum
          from {payments} payment
          where outcome = any(:outcomes)
          group by outcome
        ) payment using (outcome)
      )
      """;

  /**
   * One pass over the lines. Who has a rank is eligible, but for the few who are excluded and, on
   * some boards, for those who have not registered in time: these are looked up.
   */
  private static final String PLACED =
      """
      , ranked as (
        select
          outcome,
          sum(points) as points,
          count(place) as placed,
          count(rank) as ranked,
          count(rank) filter (where points between :least and :most) as paid
        from {lines} line
        where outcome = any(:outcomes)
        group by outcome
      ), barred as (
        select subject.outcome, count(*) as paid
        from subject
        join frozen_exclusion frozen
          on frozen.period_id = subject.id and frozen.revision = :revision
        join {lines} line on line.outcome = subject.outcome and line.member = frozen.member
        left join member on member.id = line.member
        where line.outcome = any(:outcomes)
          and line.rank is not null
          and line.points between :least and :most
          and (not :registeredOnly or registered_at < subject.ends_at)
        group by subject.outcome
      ), stranger as (
        select line.outcome, count(*) as paid
        from {lines} line
        -- Not in the WHERE clause: where a constant makes that false, no partition is pruned.
        join revision as whole
          on whole.id = line.outcome and line.outcome = any(:outcomes)
        join period on period.id = whole.period_id
        left join member on member.id = line.member and registered_at < period.ends_at
        where :registeredOnly
          and line.rank is not null
          and line.points between :least and :most
          and member.id is null
        group by line.outcome
      ), placed as (
        select
          ranked.outcome,
          points,
          placed,
          ranked,
          ranked.paid - coalesce(barred.paid, 0) - coalesce(stranger.paid, 0) as eligible
        from ranked
        left join barred using (outcome)
        left join stranger using (outcome)
      )
      """;

  /** What is paid by each rule, and what members are awarded by it then. */
  private static final String PAID =
      """
      , by_rule as (
        select numbered.outcome, coalesce(name, 'rule number ' || numbered.rule) as name,
          coalesce(currency, 'no currency') as currency, purpose, number, amount
        from (
          select outcome, rule, purpose, count(*) as number, sum(amount) as amount
          from {payments} payment
          where outcome = any(:outcomes)
          group by outcome, rule, purpose
        ) as numbered
        left join prize
          on prize.outcome = any(:outcomes)
          and prize.outcome = numbered.outcome
          and prize.rule = numbered.rule
      ), paid as (
        select
          outcome,
          string_agg(
            format('%s %s: %s payments, %s', purpose, currency, number, amount), '; '
            order by purpose collate "C", currency collate "C") as list
        from (
          select
            outcome,
            (array['award', 'return', 'debt', 'write-off', 'restored'])[purpose] as purpose,
            currency,
            sum(number) as number,
            sum(amount) as amount
          from by_rule
          group by 1, 2, 3
        ) as by_purpose
        group by outcome
      ), given as (
        select outcome, by_rule.name, currency, number, amount
        from by_rule
        join subject using (outcome)
        where base is null and purpose = 1
        {amended}      ), award as (
        select
          outcome,
          sum(number) as number,
          string_agg(
            format('%s %s: %s awards, %s', name, currency, number, amount), '; '
            order by name collate "C", currency collate "C") as list
        from given
        group by outcome
      )
      """;

  /** The awards of amendments. */
  private static final String AMENDED =
      """
      union all
      select outcome, name, currency, count(*), sum(amount)
      from (
        select subject.outcome, payment.member, prize.name, currency,
          sum(case when purpose in (1, 5) then amount else -amount end) as amount
        from {payments} payment
        join prize
          on prize.outcome = any(:parts) and prize.outcome = payment.outcome
          and prize.rule = payment.rule
        join revision as part on part.id = payment.outcome
        join subject on subject.id = part.period_id
        -- No outcome is 0: where the array is empty, no partition is pruned.
        where payment.outcome = any(:parts::int[] || 0)
        group by subject.outcome, payment.member, prize.name, currency
      ) as net
      where amount <> 0
      group by outcome, name, currency
      """;

  /** What is not of the outcome's lines and payments. */
  private static final String OTHERS =
      """
      cross join lateral (
        select string_agg(
          format('%s: %s', level, lines), '; ' order by level collate "C") as list,
          sum(sum) as sum
        from (
          select level, count(*) as lines,
            sum(first_of_sha256(concat_ws('|', exclusion_id, level, member))) as sum
          from frozen_exclusion
          where period_id = subject.id and revision = :revision
          group by level
        ) as by_level
      ) excluded
      cross join lateral (
        select count(*) as lines, sum(first_of_sha256(concat_ws('|', n, correction.kind,
          correction.points, correction.then_by, coalesce(micros(correction.at), 0),
          quote_nullable(event_id), quote_nullable(correction.reason), quote_nullable(made_by),
          made_at at time zone 'UTC', correction.member, late_event.action,
          quote_nullable(late_event.subject), late_event.undo, late_event.quantity,
          late_event.value, late_event.then_by, micros(late_event.occurred_at),
          micros(arrived_at), quote_nullable(late_event.decided_by),
          micros(late_event.decided_at), quote_nullable(late_event.verdict_reason)))) as sum
        from correction
        left join late_event
          on late_event.board = subject.board
          and late_event.period = subject.name
          and late_event.id = correction.event_id
        where period_id = subject.id and revision = :revision
      ) corrected
      left join lateral (
        select format(
          '%s members, %s points and %s events were left, as %s acknowledged at %s: %s',
          members, points, events, made_by, {made_at}, loss.reason) as text
        from acknowledged_loss loss
        where period_id = subject.id
          and fence = (select max(fence) from acknowledged_loss where period_id = subject.id)
      ) lost on true
      cross join lateral (
        select sum(first_of_sha256(concat_ws('|', fence, members, points, events))) as sum
        from acknowledged_loss
        where period_id = subject.id
      ) every_loss
      cross join lateral (
        select string_agg(
          format('%s at %s: %s', approval.by, {approval.at}, approval.reason), '; '
          order by approval.at, approval.by collate "C") as list
        from approval
        where period_id = subject.id and revision = :revision
      ) approved
      left join manifest former on former.period_id = subject.id and former.revision = subject.base
      """;

  /** The one place for the names. */
  private static final String VALUES =
      """
      cross join lateral (
        values
          ('board', board),
          ('period', name),
          ('revision', :revision::text),
          ('amends', base::text),
          ('amends-manifest', former.hash),
          ('definition', definition_hash),
          ('rules', rules),
          ('starts-at', {starts_at}),
          ('ends-at', {ends_at}),
          ('zone', :zone),
          ('sealed-at', {sealed_at}),
          ('settled-at', {settled_at}),
          ('frozen-at', {frozen_at}),
          ('filled-at', {filled_at}),
          ('sealed-members', sealed_members::text),
          ('sealed-points', sealed_points::text),
          ('sealed-events', sealed_events::text),
          ('rebuilt-members', rebuilt_members::text),
          ('rebuilt-points', rebuilt_points::text),
          ('rebuilt-events', rebuilt_events::text),
          ('acknowledged-loss', lost.text),
          ('acknowledged-loss-checksum', every_loss.sum::text),
          ('events', coalesce(journal.lines, 0)::text),
          ('events-checksum', coalesce(journal.sum, 0)::text),
          ('exclusions', excluded.list),
          ('exclusions-checksum', excluded.sum::text),
          ('corrections', nullif(corrected.lines, 0)::text),
          ('corrections-checksum', corrected.sum::text),
          ('lines', counted.lines::text),
          ('lines-points', coalesce(placed.points, 0)::text),
          ('lines-checksum', counted.line_sum::text),
          ('placed', coalesce(placed.placed, 0)::text),
          ('ranked', coalesce(placed.ranked, 0)::text),
          ('eligible', coalesce(placed.eligible, 0)::text),
          ('awards', coalesce(award.number, 0)::text),
          ('awards-by-rule', award.list),
          ('payments', counted.payments::text),
          ('payments-by-purpose', paid.list),
          ('payments-checksum', counted.payment_sum::text),
          ('owed', owed),
          ('closed-by', closed_by),
          ('two-person', case when two_person then 'true' end),
          ('approved-by', approved.list),
          ('prepared-by', prepared_by),
          ('prepared-at', {prepared_at}),
          ('reason', reason),
          ('held-for', nullif(array_to_string(held_for, '; '), '')),
          ('release-at', {release_at}),
          ('verdict', verdict),
          ('decided-by', decided_by),
          ('decided-at', {decided_at}),
          ('verdict-reason', verdict_reason),
          ('ties', ties),
          ('ties-by', ties_by),
          ('posted-at', {posted_at}),
          ('posted-under-lease', posted_under::text)
      ) as told (field, value)
      where value is not null
      order by subject.id, field collate "C"
      """;

  /** By the rows themselves: what a verification compares. */
  public static final String FIELDS_OF_ROWS = fields(RECOUNTED, AMENDED);

  /** By the counts and sums that were kept: what the posting of an amendment writes down. */
  static final String FIELDS_OF_AMENDMENT = fields(COUNTED, AMENDED);

  /** By the counts and sums that were kept: what the posting of a closing writes down. */
  static final String FIELDS_OF_CLOSING = fields(COUNTED, "");

  /** The rows' order is that of the fields' names. */
  private static String fields(String counts, String amended) {
    return SUBJECT
        + counts
        + PLACED
        + PAID.replace("{amended}", amended)
        + """
        select subject.id as period_id, field, value
        from subject
        left join journal on journal.period_id = subject.id
        left join counted on counted.outcome = subject.outcome
        left join placed on placed.outcome = subject.outcome
        left join paid on paid.outcome = subject.outcome
        left join award on award.outcome = subject.outcome
        """
        + times(OTHERS + VALUES);
  }

  /** Writes out <code>{column}</code>: a time as text. */
  private static String times(String sql) {
    return sql.replaceAll(
        "\\{([a-z_.]+)}", "to_char($1 at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')");
  }
}
