package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.settlement.outcome.PaymentSums;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What outcomes move is added up once. */
@WorldTest
class OutcomeSumsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private JdbcClient jdbc;

  private int outcome;

  @BeforeEach
  void aHeldPeriod() {
    Board board = world.board(Contest.rules().with("payout: { approval: required }"));
    Period held = world.open(board);
    world.take(Contest.facts());
    world.pass(Duration.ofDays(2));
    world.close(held);
    outcome =
        (int) records.number("select id from revision where period_id = ?", held.id().value());
  }

  private static OutcomeSums sums(JdbcClient jdbc) {
    return new OutcomeSums(jdbc, new PaymentSums(jdbc));
  }

  private List<Sum> added(OutcomeSums sums) {
    return Objects.requireNonNull(sums.of(List.of(outcome)).get(outcome));
  }

  /** The payments change after their checksum was read, and back afterwards. */
  @Test
  void sumsAreNotKeptUnderTheChecksumOfOtherPayments() {
    List<Sum> right = added(sums(jdbc));
    assertThat(right).isNotEmpty();

    int[] more = {1};
    var sums =
        sums(
            beforeAddingUp(
                () -> {
                  pay(more[0]);
                  more[0] = 0;
                }));
    assertThat(added(sums)).isNotEqualTo(right);
    pay(-1);
    assertThat(added(sums)).isEqualTo(right);
  }

  @Test
  void sumsOfThePaymentsThatAreStoredAreKept() {
    int[] additions = {0};
    var sums = sums(beforeAddingUp(() -> additions[0]++));
    List<Sum> first = added(sums);
    assertThat(added(sums)).isEqualTo(first).isNotEmpty();
    assertThat(additions[0]).isOne();
  }

  /** Payments are counted when the last one is stored. */
  @Test
  void sumsOfPaymentsThatAreNotCompleteAreNotKept() {
    servers.unguarded(
        () ->
            servers.sql(
                """
                update revision
                set filled_at = null, lines = null, line_sum = null, payments = null,
                  payment_sum = null
                where id = ?
                """,
                outcome));
    var sums = sums(jdbc);
    List<Sum> part = added(sums);
    pay(1);
    assertThat(added(sums)).isNotEqualTo(part).isNotEmpty();
  }

  private void pay(int more) {
    servers.unguarded(
        () -> {
          servers.sql(
              "update payment set amount = amount + ? where outcome = ? and purpose = 1",
              more,
              outcome);
          servers.sql(
              "update revision set payment_sum = payment_sum + ? where id = ?", more, outcome);
        });
  }

  /** Does something between the statement that reads the checksum and the one that adds up. */
  private JdbcClient beforeAddingUp(Runnable action) {
    return (JdbcClient)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {JdbcClient.class},
            (proxy, method, arguments) -> {
              if (String.valueOf(arguments[0]).contains("award_changes")) {
                action.run();
              }
              try {
                return method.invoke(jdbc, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }
}
