package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.amendment.DryRun;
import palmares.period.Period;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Fact;
import palmares.testing.MortalProcess;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * A process that closes or amends a period is killed at a statement, and the one that follows it
 * too; the third ends as if nothing had happened. In outcomes with tables of their own and without.
 */
@WorldTest
@TestPropertySource(
    properties = {"palmares.history.own-tables-from=8", "palmares.closing.slice-members=3"})
class KilledClosingTest {
  /** Every statement of a closing is killed by -Dtests.statements=1. */
  private static final int ONE_OF = Integer.getInteger("tests.statements", 83);

  private static final long SEED = 20261124;

  private static final String TOO_EARLY =
      """
      select count(*) from transfer
      join period on period.board = transfer.board and period.name = transfer.period
      where period.state <> 'settled' or transfer.revision > period.revision
      """;

  private static final AmendmentRequest REQUEST =
      new AmendmentRequest("ann", "a double count", null, Map.of(new MemberId("m0"), 500L));

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private MortalProcess process;
  @Autowired private DataSource dataSource;
  @Autowired private Servers servers;
  @Autowired private Amendments amendments;
  @Autowired private DryRun dryRun;

  private int boards;

  /** What is killed. */
  private enum Work {
    CLOSING,
    /** Of a board whose lines are ranked by SQL. */
    ADOPTED_CLOSING,
    AMENDMENT
  }

  /** A period on which the work can begin. */
  private Period prepared(Work work, int members) {
    return switch (work) {
      case CLOSING -> played(members);
      case ADOPTED_CLOSING -> adopted(members);
      case AMENDMENT -> world.settle(played(members));
    };
  }

  private void run(Work work, Period period) {
    switch (work) {
      case CLOSING, ADOPTED_CLOSING -> {
        ClosingResult closed = world.close(period);
        assertThat(closed.outcome())
            .as("%s", closed.detail())
            .isIn(Status.SETTLED, Status.ALREADY_SETTLED);
      }
      case AMENDMENT -> amend(world.again(period));
    }
  }

  private void amend(Period period) {
    if (period.revision() == 1) {
      if (amendments.undecided(period).isEmpty()) {
        assertThat(dryRun.run(period.id(), REQUEST, Set.of(), 10).differences().none()).isFalse();
        amendments.prepare(period.id(), REQUEST);
      }
      amendments.approve(period.id(), 2, "bob", "right so");
    }
  }

  private Period adopted(int members) {
    String key = "lb" + ++boards;
    Period day =
        world.open(
            world.board(
                """
                title: Theirs
                period: day
                ranks: competition
                adopt: { key: '%s:{period}', encoding: points }
                rewards:
                  - { rule: podium, ranks: { 1: 1000, 2-3: 301 }, ties: share }
                  - { rule: top, top: { 25%%: 40, 50%%: 7 } }
                  - { rule: thanks, taking-part: 3 }
                """
                    .formatted(key)));
    var foreign = new Foreign(servers);
    for (int member = 0; member < members; member++) {
      foreign.run("ZADD", key + ":" + day.name().value(), "" + (1 + member / 2), "m" + member);
    }
    return world.due(day);
  }

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
            order by revision, place
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
  @CsvSource({
    "CLOSING, 7",
    "CLOSING, 8",
    "ADOPTED_CLOSING, 7",
    "ADOPTED_CLOSING, 8",
    "AMENDMENT, 7",
    "AMENDMENT, 8"
  })
  void workThatIsKilledTwiceAtAnyStatementEndsAsIfNothingHadHappened(Work work, int members) {
    Period undisturbed = prepared(work, members);
    long statements =
        process.allStatements(this::assertNothingIsPaidTooEarly, () -> run(work, undisturbed));
    List<String> expected = outcome(undisturbed);
    assertThat(expected).hasSizeGreaterThan(2 * members);

    var random = new Random(SEED + members + 10L * work.ordinal());
    long step = Math.min(ONE_OF, statements / 2);
    long statement = 1 + random.nextLong(step);
    Period period = prepared(work, members);
    while (killedAt(statement, work, period)) {
      killedAt(1 + random.nextLong(statements), work, period);
      run(work, period);
      assertThat(outcome(period))
          .as("killed at statement %d of %d", statement, statements)
          .isEqualTo(expected);
      statement += step;
      period = prepared(work, members);
    }
    assertThat(statement).as("killed at least once").isGreaterThan(step);
    // The first work of its kind in a process asks for more.
    assertThat(statement).isGreaterThan(statements * 3 / 4);
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.number("select count(*) from pg_class where relname ~ '^line_[0-9]+$'"))
        .as("tables of outcomes")
        .isEqualTo(records.number("select count(*) from revision where id > 0"));
  }

  private boolean killedAt(long statement, Work work, Period period) {
    boolean killed = process.allKilledAt(statement, () -> run(work, period));
    assertNothingIsPaidTooEarly();
    world.pass(Duration.ofSeconds(30)); // The lease of the dead process ends.
    return killed;
  }
}
