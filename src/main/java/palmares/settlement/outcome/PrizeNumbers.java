package palmares.settlement.outcome;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule;

/**
 * Numbers the reward rules of outcomes, so that a payment carries two bytes instead of a name and a
 * currency. The board's rules are numbered in their order from 1.
 */
final class PrizeNumbers {
  private PrizeNumbers() {}

  /** Returns the names and the currencies of the board's rules, in their order. */
  static Map<String, List<String>> parameters(Board board) {
    List<RewardRule> rules = board.payout().rules();
    return Map.of(
        "names", rules.stream().map(RewardRule::name).toList(),
        "currencies", rules.stream().map(RewardRule::currency).toList());
  }

  /**
   * Numbers the rules of an amendment. Rules that the board no longer has, and by which posted
   * outcomes of the period paid, follow.
   */
  static void ofAmendment(JdbcClient jdbc, int outcome, Board board) {
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
        .params(parameters(board))
        .update();
  }
}
