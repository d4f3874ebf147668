package palmares.operations.explain;

import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.explain.EqualLines.Level;
import palmares.operations.explain.Explanation.Prize;
import palmares.operations.explain.OutcomeRows.Line;
import palmares.operations.explain.Reasons.Had;
import palmares.operations.report.RevisionSummary;
import palmares.period.Period;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.settlement.reward.Awards;

/** What a member was awarded in a revision, each with its reason. */
@Component
class PrizeRows {
  private final JdbcClient jdbc;
  private final Awards awards;
  private final EqualLines equals;

  PrizeRows(JdbcClient jdbc, Awards awards, EqualLines equals) {
    this.jdbc = jdbc;
    this.awards = awards;
    this.equals = equals;
  }

  List<Prize> of(Period period, RevisionSummary of, Board rules, String member, Line line) {
    List<Prize> bare = bare(of.outcome(), member);
    if (bare.isEmpty()) {
      return bare;
    }
    int revision = of.revision();
    var reasons = new Reasons(rules, awards.denominators(period, revision, rules));
    long tied = equals.ranked(of.outcome(), new Level(rules.scale(), line.points(), line.thenBy()));
    var had =
        new Had(
            line.rank(),
            line.points(),
            tied,
            action -> times(period, revision, rules, member, action));
    return bare.stream()
        .map(
            prize -> {
              String why = reasons.why(prize.rule(), prize.credits(), had);
              return new Prize(prize.rule(), prize.credits(), prize.currency(), why);
            })
        .toList();
  }

  /** The awards without their reasons: the changes of all outcomes that make them up. */
  private List<Prize> bare(int outcome, String member) {
    Integer[] parts =
        jdbc.sql("select part from award_part where outcome = :outcome")
            .param("outcome", outcome)
            .query(Integer.class)
            .list()
            .toArray(Integer[]::new);
    return jdbc.sql(
            """
            select rule, sum(credits), currency
            from award_changes(:parts::int[])
            where member = :member
            group by rule, currency
            having sum(credits) <> 0
            """)
        .param("parts", parts)
        .param("member", member)
        .query((row, n) -> new Prize(row.getString(1), row.getLong(2), row.getString(3), ""))
        .list();
  }

  /** How often the member did an action. */
  private long times(Period period, int revision, Board rules, String member, String name) {
    Action action = Objects.requireNonNull(rules.actions().get(name), name);
    return points(period, revision, member, action) / action.points();
  }

  private long points(Period period, int revision, String member, Action action) {
    return OutcomeRows.mine(
            jdbc,
            """
            select coalesce(sum(points), 0) from (
              select * from counted_event where action = :action) counted
            """,
            period,
            revision,
            member)
        .param("action", action.name())
        .query(Long.class)
        .single();
  }
}
