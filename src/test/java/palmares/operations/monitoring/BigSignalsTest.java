package palmares.operations.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.monitoring.ClosingSignals.PricedPeriod;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class BigSignalsTest {
  private static final String LOCKED =
      """
      select distinct relation::regclass::text
      from pg_locks
      where pid = pg_backend_pid() and relation::regclass::text ~ '(^|\\.)payment_[0-9]+$'
      """;

  @Autowired private World world;
  @Autowired private ClosingSignals signals;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcClient jdbc;

  @Test
  void whatAnOutcomePaidIsReadWithoutLocksOnTheTablesOfOthers() {
    Board board = world.board(Rules.day().with("rewards: [{ rule: podium, ranks: { 1: 100 } }]"));
    for (int day = 0; day < 3; day++) {
      var period = world.open(board);
      world.take(Fact.by("ann"));
      world.settle(period);
      world.pass(Duration.ofDays(1));
    }
    long last = signals.lastPosted();
    assertThat(locked(() -> assertThat(signals.paid(last - 1, last)).hasSize(1))).isEmpty();
    PricedPeriod period = signals.pricedPeriods(board.id()).get(0);
    String id = board.id().value();
    assertThat(locked(() -> assertThat(signals.payments(id, period.outcome())).hasSize(1)))
        .hasSize(1);
  }

  private List<String> locked(Runnable work) {
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              work.run();
              return jdbc.sql(LOCKED).query(String.class).list();
            }));
  }
}
