package palmares.settlement.verification;

/**
 * Derives what one revision of each period awards by its rules, place by place: every place's prize
 * is looked up alone, and a tie's pool is the sum of those of its places. In rows as those of
 * {@link LineSql}.
 */
final class AwardSql {
  private AwardSql() {}

  private static final String RULES =
      """
      with rule as (
        select * from unnest(
          :ruleNames::text[], :ruleKinds::text[], :ruleCurrencies::text[], :ruleTies::text[],
          :ruleFirsts::boolean[], :ruleEligibles::boolean[], :ruleUps::boolean[],
          :ruleActions::text[], :ruleWorths::bigint[])
          with ordinality as rule (
            name, kind, currency, ties, to_first, of_eligible, up, action, worth, n)
      ), band as (
        select * from unnest(
          :bandRules::bigint[], :bandAfters::numeric[], :bandLasts::numeric[],
          :bandCredits::numeric[]) as band (n, after, last, credits)
      )
      """;

  /** Who stands, who of them may be paid, and how many there are of both. */
  private static final String LINES =
      """
      , whole as materialized (
        select revision.id as outcome, period_id, revision.revision, ends_at
        from revision
        join period on period.id = revision.period_id
        where revision.id = any(:outcomes)
      ), ranked as not materialized (
        select
          whole.period_id,
          line.member,
          line.place,
          line.rank,
          line.points,
          line.points >= :paidFrom
            and line.points <= :paidTo
            and frozen.member is null
            and (not :registeredOnly or coalesce(registered_at < whole.ends_at, false)) as allowed
        from line
        -- Not in the WHERE clause: where a constant makes that false, no partition is pruned.
        join whole on whole.outcome = line.outcome and line.outcome = any(:outcomes)
        left join frozen_exclusion frozen
          on frozen.period_id = whole.period_id
          and frozen.revision = whole.revision
          and frozen.member = line.member
        left join member on :registeredOnly and member.id = line.member
        where line.rank is not null
      ), number as materialized (
        select period_id, count(*) as ranked, sum(allowed::int) as allowed
        from ranked
        group by period_id
      )
      """;

  /**
   * Each place that a prize could go to, in the order in which prizes go: as far as any rule
   * reaches, further by as many as prizes move up past, and all who are tied with the last of them.
   */
  private static final String PLACES =
      """
      , reach as materialized (
        select
          number.period_id,
          rule.n,
          band.credits,
          case when rule.kind = 'ranks' then after
            when up then ceil(after * members / 100)
            else floor(after * members / 100) end as after,
          case when rule.kind = 'ranks' then last
            when up then ceil(last * members / 100)
            else floor(last * members / 100) end as last
        from number
        cross join rule
        join band using (n)
        cross join lateral (
          select case when of_eligible then allowed else ranked end as members
        ) denominator
        where rule.kind in ('ranks', 'top')
      ), extent as materialized (
        select period_id, n, max(last) as last from reach group by period_id, n
      ), border as materialized (
        select
          within.period_id,
          greatest(max(ranked.rank), max(case when :method = 'dense' then within.last end)) as rank
        from (
          select period_id, max(last) + max(ranked - allowed) as last
          from extent
          join number using (period_id)
          group by period_id
        ) within
        join ranked on ranked.period_id = within.period_id and ranked.place <= within.last
        group by within.period_id
      ), numbered as (
        select
          ranked.period_id,
          member,
          allowed,
          ranked.rank as tie,
          count(*) over (partition by ranked.period_id order by place) as seat,
          dense_rank() over (partition by ranked.period_id order by ranked.rank) as level
        from ranked
        join border on border.period_id = ranked.period_id and ranked.rank <= border.rank
        where allowed or not :movesUp
      ), queued as (
        select
          *,
          min(seat) over (partition by period_id, tie) as position,
          max(seat) over (partition by period_id, tie) as final
        from numbered
      ), place as (
        select
          queued.*,
          rule.*,
          coalesce(of_seat.credits, 0) as seat_prize,
          coalesce(of_rank.credits, 0) as rank_prize
        from queued
        join extent using (period_id)
        join rule on rule.n = extent.n
        cross join lateral (
          select case
            when rule.kind = 'top' or :method = 'competition' then position
            when :method = 'dense' then level
            else seat end as shown
        ) by_method
        left join reach of_seat
          on of_seat.period_id = queued.period_id and of_seat.n = rule.n
          and seat > of_seat.after and seat <= of_seat.last
        left join reach of_rank
          on of_rank.period_id = queued.period_id and of_rank.n = rule.n
          and shown > of_rank.after and shown <= of_rank.last
        where shown <= extent.last
      ), pooled as (
        select
          place.*,
          final - position + 1 as size,
          sum(seat_prize) over (partition by place.period_id, n, tie) as pool,
          case place.ties when 'hold' then revision.ties else place.ties end as way
        from place
        join revision
          on revision.period_id = place.period_id and revision.revision = :revision
      ), shared as (
        select
          *,
          (pool - pool % size) / size
            + (to_first and seat < position + pool % size)::int as share_prize
        from pooled
        where allowed
      ), by_place as (
        select
          period_id,
          member,
          n,
          case way
            when 'each' then rank_prize
            when 'order' then seat_prize
            else share_prize end as credits
        from shared
      )
      """;

  /**
   * Steps, sums for everybody, and what was done, in time or late and accepted. What no rule asks
   * for is not looked at.
   */
  private static final String DEEDS =
      """
      , by_step as (
        select distinct on (period_id, member, n) period_id, member, n, credits
        from ranked
        cross join rule
        join band using (n)
        where :steps
          and allowed
          and kind = 'points'
          and (case when :fewestWin then points <= last else points >= last end)
        order by
          period_id, member, n, case when :fewestWin then last else -last end
      ), by_taking_part as (
        select period_id, member, n, credits
        from ranked
        cross join rule
        join band using (n)
        where :takingPart and allowed and kind = 'part'
      ), done as (
        select period_id, member, action, sum(points) as points
        from (
          select period_id, member, action, points
          from event
          where period_id = any(:ids) and action = any(:ruleActions) and points <> 0
          union all
          select correction.period_id, correction.member, late_event.action, correction.points
          from correction
          join period on period.id = correction.period_id
          join late_event
            on late_event.board = period.board
            and late_event.period = period.name
            and late_event.id = correction.event_id
          where correction.period_id = any(:ids)
            and correction.revision = :revision
            and correction.kind = 'late-event'
        ) act
        group by period_id, member, action
        having sum(points) > 0
      ), deed_rule as materialized (
        select id as period_id, n, rule.action, coalesce(given.points, worth) as worth, credits
        from unnest(:ids::bigint[]) as id
        cross join rule
        join band using (n)
        left join (
          select period_id, action, max(points / nullif(quantity, 0)) as points
          from event
          where period_id = any(:ids) and action = any(:ruleActions) and points <> 0
          group by period_id, action
        ) given on given.period_id = id and given.action = rule.action
        where kind = 'deed'
      ), by_deed as (
        select period_id, member, n, floor(done.points / deed_rule.worth) * credits as credits
        from done
        join deed_rule using (period_id, action)
        join ranked using (period_id, member)
        where :deeds and allowed
      )
      """;

  /** By each rule; or by the first alone that gives a member something, where that is the rule. */
  private static final String DUE =
      """
      , due as not materialized (
        select *
        from (
          select * from by_place
          union all select * from by_step
          union all select * from by_taking_part
          union all select * from by_deed
        ) every
        where credits > 0
      ), awarded as (
        select period_id, member, rule.name as rule, rule.currency, credits
        from (
          select period_id, member, n, credits from due where not :matchFirst
          union all
          select period_id, member, n, credits
          from (select *, min(n) over (partition by period_id, member) as first from due) every
          where :matchFirst and n = first
        ) given
        join rule using (n)
      )
      """;

  /**
   * Common table expressions, the last {@code awarded}: period, member, rule, currency, credits.
   */
  static final String AWARDED = RULES + LINES + PLACES + DEEDS + DUE;

  /** The rules' numbers in their order; behind them those by which {@code :formers} paid. */
  static final String PRIZES_FROM_RULES =
      RULES
          + """
          , derived as (
            select
              period_id,
              row_number() over (partition by period_id order by n, name, currency) as number,
              name,
              currency
            from (
              select period_id, name, currency, min(n) as n
              from (
                select revision.period_id, rule.name, rule.currency, rule.n
                from revision
                cross join rule
                where revision.id = any(:outcomes)
                union all
                select former.period_id, prize.name, prize.currency, 100000
                from prize
                join revision former on former.id = prize.outcome
                where prize.outcome = any(:formers)
              ) every
              group by period_id, name, currency
            ) known
          ), stored as (
            select revision.period_id, prize.rule as number, prize.name, prize.currency
            from prize
            join revision on revision.id = prize.outcome
            where prize.outcome = any(:outcomes)
          )
          select
            period_id,
            'prize number ' || number
              || case when :revision <> 1 then ' in revision ' || :revision else '' end as what,
            derived.currency || ' by ' || derived.name as derived,
            stored.currency || ' by ' || stored.name as stored
          from derived
          full join stored using (period_id, number)
          where (derived.name, derived.currency) is distinct from (stored.name, stored.currency)
          order by period_id, number
          """;

  /** A rule left a tie to a person, the answer changes what a member gets, and nobody gave one. */
  static final String TIES_FROM_RULES =
      RULES
          + LINES
          + PLACES
          + """
          select
            period_id,
            'decision on ties by ' || name || ' at rank ' || tie
              || case when :revision <> 1 then ' in revision ' || :revision else '' end as what,
            'a person''s' as derived,
            null as stored
          from shared
          where ties = 'hold' and way is null
          group by period_id, name, tie
          having bool_or(rank_prize <> seat_prize or rank_prize <> share_prize)
          order by period_id, name, tie
          """;
}
