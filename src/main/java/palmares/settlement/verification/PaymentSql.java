package palmares.settlement.verification;

/**
 * Compares payments with what the rules award, in rows as those of {@link LineSql}. The money of an
 * outcome is its payments, once it is posted: there is no other copy of them to compare.
 */
final class PaymentSql {
  private PaymentSql() {}

  static final String PURPOSES = "array['award', 'return', 'debt', 'write-off', 'restored']";

  /** What is stored; a payment by a rule that the outcome does not have is extra. */
  private static final String STORED =
      """
      , stored as (
        select revision.period_id, payment.member,
          coalesce(prize.name, 'rule number ' || payment.rule) as rule, prize.currency,
          payment.purpose, payment.amount
        from payment
        join revision on revision.id = payment.outcome
        left join prize on prize.outcome = payment.outcome and prize.rule = payment.rule
        where payment.outcome = any(:outcomes)
      )
      """;

  private static final String COMPARED =
      """
      select
        period_id,
        format('%s of %s by %s', (PURPOSES)[purpose], member, rule)
          || case when :revision <> 1 then ' in revision ' || :revision else '' end as what,
        trunc(derived.amount) || ' ' || derived.currency as derived,
        stored.amount || ' ' || coalesce(stored.currency, 'of no currency') as stored
      from derived
      full join stored using (period_id, member, rule, purpose)
      where (derived.amount, derived.currency) is distinct from (stored.amount, stored.currency)
      order by period_id, member, rule, purpose
      """
          .replace("PURPOSES", PURPOSES);

  /** A closing pays what its rules award. */
  static final String PAYMENTS_FROM_RULES =
      AwardSql.AWARDED
          + """
          , derived as (
            select period_id, member, rule, currency, 1::smallint as purpose, credits as amount
            from awarded
          )
          """
          + STORED
          + COMPARED;

  /**
   * An amendment pays the difference between what its rules award and what the outcomes that were
   * posted before it, {@code :formers}, gave and took. Sums of what the transaction wrote a moment
   * ago are never joined to each other, but by a full join: the planner has no statistics of them,
   * and would look each up in all the others.
   */
  static final String PAYMENTS_FROM_DIFFERENCES =
      AwardSql.AWARDED
          + """
          , change as (
            select period_id, member, rule, currency, sum(amount) as amount, sum(waived) as waived
            from (
              select period_id, member, rule, currency, credits as amount, 0 as waived
              from awarded
              union all
              select
                former.period_id,
                payment.member,
                prize.name,
                prize.currency,
                case when purpose in (1, 5) then -amount else amount end,
                case when purpose in (3, 4) then amount when purpose = 5 then -amount else 0 end
              from payment
              join revision former on former.id = payment.outcome
              join prize on prize.outcome = payment.outcome and prize.rule = payment.rule
              where payment.outcome = any(:formers)
            ) part
            group by period_id, member, rule, currency
          ), derived as (
            select
              period_id,
              member,
              rule,
              change.currency,
              part.purpose::smallint as purpose,
              part.amount
            from change
            join revision whole using (period_id)
            cross join lateral (
              values
                (1, amount - greatest(waived, 0)),
                (5, least(amount, waived)),
                (case owed when 'take' then 2 when 'debt' then 3 else 4 end, -amount)
            ) as part (purpose, amount)
            where whole.revision = :revision
              and part.amount > 0
          )
          """
          + STORED
          + COMPARED;

  /**
   * Whether each posted outcome among {@code :outcomes} still has the payments that were posted, by
   * their number and their sum, and whether its manifest says so.
   */
  static final String PAYMENTS_FROM_POSTINGS =
      """
      with stored as (
        select outcome, count(*) as payments,
          sum(payment_hash(rule, purpose, amount, member)) as payment_sum
        from payment
        where outcome = any(:outcomes)
        group by outcome
      ), told as (
        select
          format('payments of revision %s of %s %s', revision.revision, board, name) as what,
          format('%s payments, checksum %s',
            coalesce(substring(body from '(?n)^payments: (.*)$'), 'no manifest, no'),
            coalesce(substring(body from '(?n)^payments-checksum: (.*)$'), 'none')) as derived,
          format('%s payments, checksum %s',
            coalesce(stored.payments, 0), coalesce(stored.payment_sum, 0)) as stored
        from revision
        join period on period.id = revision.period_id
        left join manifest
          on manifest.period_id = revision.period_id and manifest.revision = revision.revision
        left join stored on stored.outcome = revision.id
        where revision.id = any(:outcomes)
      )
      select 0 as period_id, what, derived, stored
      from told
      where derived <> stored
      order by what
      """;

  /** What an unsettled period, {@code :ids}, cannot have yet. */
  static final String TOO_EARLY =
      """
      select
        revision.period_id,
        case
          when posted_at is not null then 'posting of '
          when filled_at is not null and revision.revision = 1 and state <> 'open'
            then 'filling of '
          else ''
        end || 'revision ' || revision.revision as what,
        null as derived,
        format('of a period that is %s: %s lines, %s payments%s', state, coalesce(lines, 0),
          coalesce(payments, 0), ', posted at ' || posted_at) as stored
      from revision
      join period on period.id = revision.period_id
      where revision.period_id = any(:ids)
        and (posted_at is not null
          or revision.revision <> 1
          or state = 'open'
          or state = 'sealed' and filled_at is not null)
      union all
      select id, 'filling of revision 1', 'of a period that is ' || state, null
      from period
      where id = any(:ids)
        and state not in ('open', 'sealed')
        and not exists (
          select from revision
          where revision.period_id = period.id
            and revision.revision = 1
            and filled_at is not null)
      union all
      select period_id, 'manifest of revision ' || revision, null, hash
      from manifest
      where period_id = any(:ids)
      order by 1, 2
      """;
}
