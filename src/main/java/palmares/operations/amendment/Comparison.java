package palmares.operations.amendment;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.amendment.RevisionDifferences.MemberDifference;
import palmares.period.PeriodId;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revisions;

/** Compares two revisions of a period, member by member. */
@Component
public class Comparison {
  /**
   * The rows of the later outcome are read from its own tables, which may not be attached yet. A
   * member whose place alone moved, among members of its rank, has the same result.
   *
   * <p>Each award and move has a line, so left joins would do. But the planner has no statistics of
   * rows that the transaction has just written, and would look up each line; a full join sorts or
   * hashes them.
   */
  private static final String CHANGES =
      """
      with line as (
        select
          member,
          past.rank as rank_before,
          present.rank as rank_after,
          past.points as points_before,
          present.points as points_after,
          (past.rank, past.points, past.then_by, past.arrival, past.reached_at)
            is distinct from (present.rank, present.points, present.then_by, present.arrival,
              present.reached_at) as differs
        from (
          select * from standing where outcome = :baseOutcome
        ) past
        full join (
          select member, place, rank, points, coalesce(then_by, 0) as then_by,
            coalesce(arrival, 0) as arrival, reached_at
          from {lines}
          where outcome = :outcome and place is not null
        ) present using (member)
      ), changed_award as (
        select outcome, member, rule, currency, credits
        from award_changes(array_remove(:parts || :baseParts, :outcome))
        union all
        select payment.outcome, payment.member, prize.name, prize.currency,
          case when purpose in (1, 5) then payment.amount else -payment.amount end
        from {payments} payment
        join prize on prize.outcome = :outcome and prize.rule = payment.rule
        where payment.outcome = :outcome
      ), by_rule as (
        select
          member,
          rule,
          currency,
          coalesce(sum(credits) filter (where outcome = any(:baseParts)), 0) as before,
          coalesce(sum(credits) filter (where outcome = any(:parts)), 0) as after
        from changed_award
        group by member, rule, currency
      ), paid as (
        select
          member,
          currency,
          sum(before) as before,
          sum(after) as after,
          bool_or(bool_or(before <> after)) over (partition by member) as moved
        from by_rule
        group by member, currency
      ), tier as (
        select
          member,
          past.direction as tier_before,
          present.direction as tier_after,
          (past.family, past.tier, past.direction)
            is distinct from (present.family, present.tier, present.direction) as tier_differs
        from (
          select * from tier_move where period_id = :period and revision = :base
        ) past
        full join (
          select * from tier_move where period_id = :period and revision = :revision
        ) present using (member)
      ), change as (
        select line.*, paid.currency, coalesce(paid.before, 0) as before,
          coalesce(paid.after, 0) as after, tier_before, tier_after
        from line
        full join paid using (member)
        full join tier using (member)
        where line.differs
          or paid.moved
          or tier_differs
      )
      """;

  private final JdbcClient jdbc;
  private final Revisions revisions;

  Comparison(JdbcClient jdbc, Revisions revisions) {
    this.jdbc = jdbc;
    this.revisions = revisions;
  }

  /**
   * Compares a revision with an earlier one.
   *
   * @param maxNamed how many differences to name at most
   */
  public RevisionDifferences of(PeriodId period, int base, int revision, int maxNamed) {
    OutcomeTables tables = OutcomeTables.of(revisions.outcome(period, revision));
    Map<String, Object> parameters = parameters(period, base, revision, maxNamed);
    var counted = query(tables.in(CHANGES + COUNTED), parameters, Counted.class).get(0);
    return new RevisionDifferences(
        counted.risen(),
        counted.fallen(),
        counted.changed(),
        query(tables.in(CHANGES + SUMS), parameters, Sum.class),
        query(tables.in(CHANGES + FIRST), parameters, MemberDifference.class));
  }

  Map<String, Object> parameters(PeriodId period, int base, int revision, int maxNamed) {
    int past = revisions.outcome(period, base);
    int present = revisions.outcome(period, revision);
    return Map.of(
        "period", period,
        "base", base,
        "revision", revision,
        "baseOutcome", past,
        "outcome", present,
        "baseParts", revisions.parts(past),
        "parts", revisions.parts(present),
        "most", maxNamed);
  }

  private <T> List<T> query(String sql, Map<String, Object> parameters, Class<T> type) {
    return jdbc.sql(sql).params(parameters).query(type).list();
  }

  private static final String COUNTED =
      """
      select
        count(distinct member) filter (
          where rank_after < rank_before
            or (rank_before is null and rank_after is not null)) as risen,
        count(distinct member) filter (
          where rank_after > rank_before
            or (rank_after is null and rank_before is not null)) as fallen,
        count(distinct member) as changed
      from change
      """;

  /** By rule, as it is paid: what a member gets by one is not set off against another. */
  private static final String SUMS =
      """
      select
        currency,
        coalesce(sum(after - before) filter (where after > before), 0) as gets,
        coalesce(sum(before - after) filter (where before > after), 0) as owes
      from by_rule
      where before <> after
      group by currency
      order by currency
      """;

  /** Names a member once for each currency in which its awards change, or else once. */
  private static final String FIRST =
      """
      select
        member, rank_before, rank_after, points_before, points_after, currency,
        before as awarded_before, after as awarded_after, tier_before, tier_after
      from (
        select *,
          row_number() over (
            partition by member order by before = after, currency) as number_of_member
        from change
      ) named
      where before <> after or number_of_member = 1
      order by abs(after - before) desc, least(rank_before, rank_after), member, currency
      limit :most
      """;

  static final List<String> STATEMENTS =
      List.of(CHANGES + COUNTED, CHANGES + SUMS, CHANGES + FIRST);

  record Counted(long risen, long fallen, long changed) {}
}
