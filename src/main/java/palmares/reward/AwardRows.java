package palmares.reward;

import java.util.Map;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.bulk.OwnTables;
import palmares.payout.Payout;
import palmares.payout.RewardRule;
import palmares.revision.Revision;

/** Writes what a rule gives, one row a member. */
@Component
class AwardRows {
  private static final String SHARED = "award";

  /** In the order of the index. */
  private static final String WRITE =
      """
      insert into %s (period_id, revision, member, rule, currency, credits)
      select :period, :revision, member, :rule, :currency, credits
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
          where above.period_id = :period
            and above.revision = :revision
            and above.member = due.member)
      """;

  private final JdbcClient jdbc;
  private final OwnTables own;

  AwardRows(JdbcClient jdbc, OwnTables own) {
    this.jdbc = jdbc;
    this.own = own;
  }

  /** How many lines of the revision have a rank. */
  long ranked(Revised revised) {
    return jdbc.sql(
            """
            select count(*) from standing
            where period_id = :period and revision = :revision and rank is not null
            """)
        .params(revised.parameters())
        .query(Long.class)
        .single();
  }

  /** Whether so many lines' awards have a table of their own. */
  boolean apart(Revised revised, long lines) {
    return revised.number() == Revision.FIRST && own.admits(revised.period().id().value(), lines);
  }

  /** Makes the table of their own, which nobody sees before {@link #join}; tells its name. */
  String begin(Revised revised) {
    return own.begin(SHARED, revised.period().id().value());
  }

  /** Shows what was written into the table of their own. */
  void join(Revised revised) {
    own.join(SHARED, revised.period().id().value());
  }

  /** Writes a revision's awards to where they belong. */
  void write(Revised revised, long lines, Consumer<String> rules) {
    if (!apart(revised, lines)) {
      rules.accept(SHARED);
      return;
    }
    rules.accept(begin(revised));
    join(revised);
  }

  /**
   * Writes what is due.
   *
   * @param table where to
   * @param due common table expressions, the last of them {@code due}: member, credits
   * @param parameters those that {@link Revised#parameters()} has not
   */
  void write(
      String table, Revised revised, RewardRule rule, String due, Map<String, Object> parameters) {
    boolean first = revised.board().payout().match() == Payout.Match.FIRST;
    jdbc.sql(due + WRITE.formatted(table, first ? UNPAID.formatted(table) : ""))
        .params(revised.parameters())
        .params(parameters)
        .param("rule", rule.name())
        .param("currency", rule.currency())
        .update();
  }
}
