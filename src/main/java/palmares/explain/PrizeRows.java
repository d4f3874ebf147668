package palmares.explain;

import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.board.Action;
import palmares.board.Board;
import palmares.explain.EndingRows.Line;
import palmares.explain.Reasons.Had;
import palmares.explain.Story.Prize;
import palmares.payout.RewardRule;
import palmares.payout.RewardRule.PerAction;
import palmares.period.Period;
import palmares.reward.Awards;

/** What a member was awarded in a revision, each with its reason. */
@Component
class PrizeRows {
  private final JdbcClient jdbc;
  private final Awards awards;

  PrizeRows(JdbcClient jdbc, Awards awards) {
    this.jdbc = jdbc;
    this.awards = awards;
  }

  List<Prize> of(Period period, int revision, Board rules, String member, Line line) {
    List<Prize> bare =
        EndingRows.mine(jdbc, "select rule, credits, currency from award", period, revision, member)
            .query((row, n) -> new Prize(row.getString(1), row.getLong(2), row.getString(3), ""))
            .list();
    if (bare.isEmpty()) {
      return bare;
    }
    var reasons = new Reasons(rules, awards.denominators(period, revision, rules));
    long tied = tied(period, revision, line);
    return bare.stream()
        .map(
            prize -> {
              long times = times(period, revision, rules, member, prize.rule());
              String why =
                  reasons.why(
                      prize.rule(),
                      prize.credits(),
                      new Had(line.rank(), line.points(), tied, times));
              return new Prize(prize.rule(), prize.credits(), prize.currency(), why);
            })
        .toList();
  }

  private long tied(Period period, int revision, Line line) {
    return jdbc.sql(
            """
            select count(*) from standing
            where period_id = :period
              and revision = :revision
              and points = :points
              and then_by = :then_by
              and rank is not null
            """)
        .param("period", period.id().value())
        .param("revision", revision)
        .param("points", line.points())
        .param("then_by", line.thenBy())
        .query(Long.class)
        .single();
  }

  /** How often the member did a rule's action; 0 for rules without one. */
  private long times(Period period, int revision, Board rules, String member, String rule) {
    for (RewardRule one : rules.payout().rules()) {
      if (one.name().equals(rule) && one instanceof PerAction each) {
        Action action = Objects.requireNonNull(rules.actions().get(each.action()), rule);
        return points(period, revision, member, action) / action.points();
      }
    }
    return 0;
  }

  private long points(Period period, int revision, String member, Action action) {
    return EndingRows.mine(
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
