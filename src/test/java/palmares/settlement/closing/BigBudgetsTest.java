package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.BudgetCheck;
import palmares.testing.OwnTables;
import palmares.testing.World;

/** The same of outcomes that have own tables, of which a month may have hundreds. */
@OwnTables
class BigBudgetsTest extends BudgetsTest {
  private static final String LOCKED =
      """
      select distinct relation::regclass::text
      from pg_locks
      where pid = pg_backend_pid() and relation::regclass::text ~ '(^|\\.)payment_[0-9]+$'
      """;

  @Autowired private World world;
  @Autowired private BudgetCheck budgets;
  @Autowired private Revisions revisions;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;

  @Test
  void paymentsOfTheMonthsPostedOutcomesAreNotRead() {
    Board board = world.board(prizes("budget: { credits: { month: 350 } }"));
    List<Period> days = days(board, 4);
    Period held = days.get(3);
    List<String> locked =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  assertThat(budgets.overBudget(held, Revision.FIRST, board))
                      .extracting(Texts::english)
                      .containsExactly(
                          "100 credits and the 300 of the month's other periods are over the"
                              + " month's budget of 350");
                  return jdbc.sql(LOCKED).query(String.class).list();
                }));
    int outcome = revisions.outcome(held.id(), Revision.FIRST);
    assertThat(locked).singleElement().asString().endsWith("payment_" + outcome);
  }
}
