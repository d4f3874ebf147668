package palmares.settlement.reward;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.reward.SeatSql.Due;

/**
 * Computes what other rules would have given the members of a posted revision, next to what it
 * gave. It writes temporary rows only.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class ReplayedAwards {
  private static final long MIN_LINES_WITHOUT_NESTED_LOOPS = 1_000;

  private static final String GIVEN =
      """
      insert into replayed (n, rule, currency, member, paid, would)
      select :n, rule, currency, member, sum(paid), sum(would)
      from (
        select rule, currency, member, credits as paid, 0::numeric as would
        from {award_changes} given
        union all
        select due.rule, due.currency, due.member, 0, due.credits
        from (%s) due
        where not exists (
          select from withheld_line
          where withheld_line.outcome = :outcome and withheld_line.member = due.member)
      ) each_award
      group by rule, currency, member
      having sum(paid) <> 0 or sum(would) <> 0
      """;

  private static final String FIRST_ONLY =
      """
      select distinct on (member) rule, currency, member, credits
      from (%s) every
      order by member, number
      """;

  private final RulePrizes prizes;
  private final JdbcClient jdbc;

  ReplayedAwards(RulePrizes prizes, JdbcClient jdbc) {
    this.prizes = prizes;
    this.jdbc = jdbc;
  }

  /** Creates the temporary table that the transaction may write, and nothing else from then on. */
  public void begin() {
    jdbc.sql(
            """
            create temporary table replayed (
              n int, rule text, currency text, member text collate "C", paid numeric, would numeric)
            on commit drop
            """)
        .update();
    jdbc.sql("set transaction read only").update();
  }

  /**
   * Adds the awards of a revision, paid and under other rules, to the temporary table.
   *
   * @param n the number of the period in the table
   * @param parts the outcomes whose payments add up to its awards
   * @param decided how ties are paid that the rules leave to a person; null to share
   * @return the number of ranked lines
   */
  public long add(
      int n,
      Period period,
      Revision revision,
      List<Integer> parts,
      Board board,
      @Nullable Ties decided) {
    var context = new RevisionContext(period, revision.number(), revision.id(), false, board);
    long ranked = prizes.countRanked(context);
    boolean isBig = ranked >= MIN_LINES_WITHOUT_NESTED_LOOPS;
    if (isBig) {
      jdbc.sql("set local enable_nestloop = off").update();
    }
    var parameters = new HashMap<String, Object>(context.parameters());
    String due = due(context, decided, parameters);
    jdbc.sql(OutcomeTables.of(revision.id(), parts).in(GIVEN.formatted(due)))
        .params(parameters)
        .param("n", n)
        .param("parts", parts)
        .update();
    if (isBig) {
      jdbc.sql("set local enable_nestloop = on").update();
    }
    return ranked;
  }

  /** Whether a revision withholds lines, which the other rules are taken to withhold, too. */
  public boolean withholds(Revision revision) {
    return jdbc.sql("select exists (select from withheld_line where outcome = :outcome)")
        .param("outcome", revision.id())
        .query(Boolean.class)
        .single();
  }

  /** The statement of all rules: number, rule, currency, member, credits. */
  private String due(
      RevisionContext context, @Nullable Ties decided, Map<String, Object> parameters) {
    List<RewardRule> rules = context.board().payout().rules();
    var each = new ArrayList<String>();
    for (int i = 0; i < rules.size(); i++) {
      int number = i;
      RewardRule rule = rules.get(i);
      Optional<Due> due = prizes.due(context, rule, decided);
      due.ifPresent(
          found -> {
            parameters.put("rule_" + number, rule.name());
            parameters.put("currency_" + number, rule.currency());
            each.add(
                """
                select %1$s as number, :rule_%1$s::text as rule, :currency_%1$s::text as currency,
                  member, credits::numeric as credits
                from (%2$s
                  select member, credits from due where credits > 0) by_rule
                """
                    .formatted(String.valueOf(number), numbered(found, number, parameters)));
          });
    }
    if (each.isEmpty()) {
      return """
      select 0 as number, ''::text as rule, ''::text as currency, ''::text as member,
        0::numeric as credits
      where false
      """;
    }
    String all = String.join("union all\n", each);
    return context.board().payout().match().isFirstOnly() ? FIRST_ONLY.formatted(all) : all;
  }

  /** Gives the parameters of each rule other names. */
  private static String numbered(Due due, int number, Map<String, Object> parameters) {
    String sql = due.sql();
    for (Map.Entry<String, Object> parameter : due.parameters().entrySet()) {
      String name = parameter.getKey() + "_of_" + number;
      parameters.put(name, parameter.getValue());
      sql =
          Pattern.compile("(?<!:):" + parameter.getKey() + "\\b")
              .matcher(sql)
              .replaceAll(Matcher.quoteReplacement(":" + name));
    }
    return sql;
  }
}
