package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import palmares.period.Period;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Fact;
import palmares.testing.MortalProcess;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * A process that closes a period is killed at a statement, and the one that follows it too; the
 * third ends as if nothing had happened. In outcomes with tables of their own and without.
 */
@WorldTest
@Import(MortalProcess.Added.class)
@TestPropertySource(properties = "palmares.history.own-tables-from=8")
class KilledClosingTest {
  /** Every statement of a closing is killed by -Dtests.statements=1. */
  private static final int ONE_OF = Integer.getInteger("tests.statements", 17);

  private static final long SEED = 20261124;

  private static final String TOO_EARLY =
      """
      select count(*) from transfer
      join period on period.board = transfer.board and period.name = transfer.period
      where period.state <> 'settled'
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private MortalProcess process;
  @Autowired private DataSource dataSource;

  private int boards;

  /** Actions are paid while lines are streamed, the top percent after them. */
  private Period played(int members) {
    String action = "act" + ++boards;
    Period day =
        world.open(
            world.board(
                Rules.day()
                    .with("ranks: competition")
                    .with("actions: { %s: { points: 1, max-quantity: 1000 } }".formatted(action))
                    .with(
                        """
                        rewards:
                          - { rule: podium, ranks: { 1: 1000, 2-3: 301 }, ties: share }
                          - { rule: top, top: { 25%%: 40, 50%%: 7 } }
                          - { rule: each-act, per: %s, credits: 2, currency: gems }
                        """
                            .formatted(action))));
    var facts = new ArrayList<Fact>();
    for (int member = 0; member < members; member++) {
      facts.add(Fact.by("m" + member).does(action).times(1 + member / 2));
    }
    world.take(facts);
    return world.due(day);
  }

  private List<String> outcome(Period period) {
    List<String> outcome =
        records.words(
            """
            select concat_ws(' ', member, place, rank, points)
            from standing
            where period_id = ?
            order by place
            """,
            period.id().value());
    outcome.addAll(
        records.words(
            """
            select concat_ws(' ', split_part(account, ':', 1), rule, currency, kind, amount)
            from entry
            where period_id = ?
            order by split_part(account, ':', 1), rule, currency, kind, amount
            """,
            period.id().value()));
    return outcome;
  }

  /** On a connection that takes no part in a transaction of the closing. */
  private void assertNothingIsPaidTooEarly() {
    try (Connection other = dataSource.getConnection();
        ResultSet result = other.createStatement().executeQuery(TOO_EARLY)) {
      assertThat(result.next()).isTrue();
      assertThat(result.getLong(1)).isZero();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 8})
  void aClosingThatIsKilledTwiceAtAnyStatementEndsAsIfNothingHadHappened(int members) {
    Period undisturbed = played(members);
    long statements =
        process.allStatements(this::assertNothingIsPaidTooEarly, () -> world.settle(undisturbed));
    List<String> expected = outcome(undisturbed);
    assertThat(expected).hasSizeGreaterThan(2 * members);

    var random = new Random(SEED);
    long statement = 1 + random.nextInt(ONE_OF);
    Period period = played(members);
    while (killedAt(statement, period)) {
      killedAt(1 + random.nextLong(statements), period);
      ClosingResult closed = world.close(period);
      assertThat(closed.outcome())
          .as("killed at statement %d of %d: %s", statement, statements, closed.detail())
          .isIn(Status.SETTLED, Status.ALREADY_SETTLED);
      assertThat(outcome(period)).as("killed at statement %d", statement).isEqualTo(expected);
      statement += ONE_OF;
      period = played(members);
    }
    // The first closing of a process asks for more.
    assertThat(statement).isGreaterThan(statements * 3 / 4);
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.number("select count(*) from pg_class where relname ~ '^line_[0-9]+$'"))
        .as("tables of outcomes")
        .isEqualTo(records.number("select count(*) from revision where id > 0"));
  }

  private boolean killedAt(long statement, Period period) {
    boolean killed = process.allKilledAt(statement, () -> world.close(period));
    assertNothingIsPaidTooEarly();
    world.pass(Duration.ofSeconds(30)); // The lease of the dead process ends.
    return killed;
  }
}
