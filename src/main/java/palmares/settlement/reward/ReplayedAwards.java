package palmares.settlement.reward;

import java.util.List;
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
      select :n, rule, currency, member, sum(credits), 0
      from {award_changes} given
      group by rule, currency, member
      having sum(credits) <> 0
      """;

  private static final String WOULD =
      """
      insert into replayed (n, rule, currency, member, paid, would)
      select :n, :rule, :currency, member, 0, credits
      from due
      where credits > 0
        and not exists (
          select from withheld_line
          where withheld_line.outcome = :outcome and withheld_line.member = due.member)
      """;

  /** Rules are applied in the file's order, so an earlier rule may have given the member. */
  private static final String NOT_GIVEN_BY_EARLIER_RULE =
      """
        and not exists (
          select from replayed above
          where above.n = :n and above.member = due.member and above.would > 0)
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
    jdbc.sql(OutcomeTables.of(revision.id(), parts).in(GIVEN))
        .param("n", n)
        .param("parts", parts)
        .update();
    board.payout().rules().forEach(rule -> add(n, context, rule, decided));
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

  private void add(int n, RevisionContext context, RewardRule rule, @Nullable Ties decided) {
    boolean first = context.board().payout().match().isFirstOnly();
    prizes
        .due(context, rule, decided)
        .ifPresent(
            due ->
                jdbc.sql(due.sql() + WOULD + (first ? NOT_GIVEN_BY_EARLIER_RULE : ""))
                    .params(context.parameters())
                    .params(due.parameters())
                    .param("n", n)
                    .param("rule", rule.name())
                    .param("currency", rule.currency())
                    .update());
  }
}
