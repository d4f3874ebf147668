package palmares.settlement.outcome;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule;

/**
 * Numbers the reward rules of an outcome, so that a payment carries two bytes instead of a name and
 * a currency.
 */
@Component
class Prizes {
  private final JdbcClient jdbc;

  Prizes(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Numbers the rules of the board in their order from 1, and behind them those by which posted
   * outcomes of the period paid and which the board does not have any more.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void number(int outcome, Board board) {
    var rules = board.payout().rules();
    jdbc.sql(
            """
            insert into prize (outcome, rule, name, currency)
            select :outcome, row_number() over (order by n, name, currency), name, currency
            from (
              select name, currency, min(n) as n
              from (
                select name, currency, n
                from unnest(:names::text[], :currencies::text[])
                  with ordinality as rule (name, currency, n)
                union all
                select prize.name, prize.currency, 100000
                from revision present
                join revision posted
                  on posted.period_id = present.period_id and posted.posted_at is not null
                join prize on prize.outcome = posted.id
                where present.id = :outcome
              ) every
              group by name, currency
            ) known
            """)
        .param("outcome", outcome)
        .param("names", rules.stream().map(RewardRule::name).toArray(String[]::new))
        .param("currencies", rules.stream().map(RewardRule::currency).toArray(String[]::new))
        .update();
  }
}
