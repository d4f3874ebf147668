package palmares.reward;

import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.payout.RewardRule;
import palmares.payout.RewardRule.Band;
import palmares.payout.RewardRule.PerAction;
import palmares.payout.RewardRule.RankPrizes;
import palmares.period.Period;

/** What a board's reward rules give the members of a closed period, set at a time. */
@Component
public class Awards {
  private final JdbcClient jdbc;

  Awards(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Writes the awards of a revision that has none yet. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void award(Period period, int revision, Board board) {
    for (RewardRule rule : board.payout().rules()) {
      if (rule instanceof RankPrizes prizes) {
        long least = board.scale().scoring().takesValues() ? 0 : 1;
        prizes.bands().forEach(band -> prize(period, revision, prizes.name(), band, least));
      } else if (rule instanceof PerAction each) {
        perAction(period, revision, each, worth(board, each));
      }
    }
  }

  private void prize(Period period, int revision, String rule, Band band, long least) {
    jdbc.sql(
            """
            insert into award (period_id, revision, member, rule, credits)
            select period_id, revision, member, :rule, :credits
            from standing
            where period_id = :period
              and revision = :revision
              and rank between :from and :to
              and points >= :least
            """)
        .param("period", period.id().value())
        .param("revision", revision)
        .param("rule", rule)
        .param("credits", band.credits())
        .param("from", band.from())
        .param("to", band.to())
        .param("least", least)
        .update();
  }

  private static long worth(Board board, PerAction rule) {
    return Objects.requireNonNull(board.actions().get(rule.action()), rule.action()).points();
  }

  private void perAction(Period period, int revision, PerAction rule, long worth) {
    jdbc.sql(
            """
            with counted as (
              select
                member, sum(points) / :worth as times
              from event
              where period_id = :period and action = :action
              group by member
            )
            insert into award (period_id, revision, member, rule, credits)
            select :period, :revision, member, :rule, times * :credits
            from counted
            where times > 0
            """)
        .param("period", period.id().value())
        .param("revision", revision)
        .param("action", rule.action())
        .param("worth", worth)
        .param("rule", rule.name())
        .param("credits", rule.credits())
        .update();
  }
}
