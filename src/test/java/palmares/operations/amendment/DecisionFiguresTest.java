package palmares.operations.amendment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.amendment.DecisionFigures.Figures;
import palmares.operations.report.PendingDecisions;
import palmares.period.Period;
import palmares.settlement.outcome.Revision;
import palmares.testing.Contest;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What a person signs is added up once, and again as soon as an outcome has other rows. */
@WorldTest
class DecisionFiguresTest {
  private static final int MOST = 200;

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private DecisionFigures figures;
  @Autowired private PendingDecisions decisions;
  @Autowired private TransactionTemplate transaction;

  private Period day;
  private Revision held;

  @BeforeEach
  void aHeldPeriod() {
    day =
        world.open(
            world.board(
                Contest.rules()
                    .with(
                        "payout: { approval: required, budget: { credits: { period: 5000 } } }")));
    world.takeAll(Contest.facts(), World.ANYBODY);
    world.close(day);
    held = transaction.execute(status -> decisions.undecided(day.id()).orElseThrow());
  }

  private Figures figures() {
    return figures.of(day, held, MOST);
  }

  private void change(String sql) {
    servers.unguarded(() -> servers.sql(sql, held.id()));
  }

  @Test
  void figuresAreKeptUntilTheRowsHaveAnotherChecksum() {
    Figures shown = figures();
    assertThat(shown.totals()).singleElement().hasFieldOrPropertyWithValue("members", 3L);
    assertThat(shown.costs()).containsOnlyKeys("credits");
    assertThat(shown.awards().get(0).member()).isEqualTo("ann");
    change("update payment set amount = amount + 1 where outcome = ? and purpose = 1");
    assertThat(figures()).as("added up once").isSameAs(shown);
    change("update revision set payment_sum = payment_sum + 1 where id = ?");
    assertThat(figures().totals().get(0).gets()).isGreaterThan(shown.totals().get(0).gets());
  }
}
