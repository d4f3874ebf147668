package palmares.settlement.reward;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.payout.Payout;
import palmares.rules.payout.RewardRule;

/** Writes what a rule gives, one row a member. */
@Component
class AwardRows {
  /** In the order of the index. */
  private static final String WRITE =
      """
      insert into %s (outcome, rule, purpose, member, amount)
      select :outcome, :rule, 1, member, credits
      from due
      where credits > 0
      %s
      order by member
      """;

  /** Rules are asked in the file's order: a member who has something had it by one above. */
  private static final String UNPAID =
      """
        and not exists (
          select from %s above
          where above.outcome = :outcome and above.member = due.member)
      """;

  private final JdbcClient jdbc;

  /**
   * What is due by a rule.
   *
   * @param sql common table expressions, the last of them {@code due}: member, credits
   * @param parameters those that {@link RevisionContext#parameters()} has not
   */
  record Due(String sql, Map<String, Object> parameters) {}

  AwardRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** How many lines of the revision have a rank. */
  long ranked(RevisionContext revised) {
    return jdbc.sql(
            "select count(*) from %s where outcome = :outcome and rank is not null"
                .formatted(revised.lines()))
        .param("outcome", revised.revision().id())
        .query(Long.class)
        .single();
  }

  /** Writes what is due by the rule. */
  void write(RevisionContext revised, RewardRule rule, Due due) {
    boolean first = revised.board().payout().match() == Payout.Match.FIRST;
    String table = revised.payments();
    jdbc.sql(due.sql() + WRITE.formatted(table, first ? UNPAID.formatted(table) : ""))
        .params(revised.parameters())
        .params(due.parameters())
        .param("rule", 1 + revised.board().payout().rules().indexOf(rule))
        .update();
  }
}
