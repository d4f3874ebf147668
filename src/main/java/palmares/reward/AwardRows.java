package palmares.reward;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.payout.Payout;
import palmares.payout.RewardRule;

/** Writes what a rule gives, one row a member. */
@Component
class AwardRows {
  private static final String WRITE =
      """
      insert into award (period_id, revision, member, rule, currency, credits)
      select :period, :revision, member, :rule, :currency, credits
      from due
      where credits > 0
      """;

  /** Rules are asked in the file's order: a member who has something had it by one above. */
  private static final String UNPAID =
      """
        and not exists (
          select from award above
          where above.period_id = :period
            and above.revision = :revision
            and above.member = due.member)
      """;

  private final JdbcClient jdbc;

  AwardRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Writes what is due.
   *
   * @param due common table expressions, the last of them {@code due}: member, credits
   * @param parameters those that {@link Revised#parameters()} has not
   */
  void write(Revised revised, RewardRule rule, String due, Map<String, Object> parameters) {
    boolean first = revised.board().payout().match() == Payout.Match.FIRST;
    jdbc.sql(due + WRITE + (first ? UNPAID : ""))
        .params(revised.parameters())
        .params(parameters)
        .param("rule", rule.name())
        .param("currency", rule.currency())
        .update();
  }
}
