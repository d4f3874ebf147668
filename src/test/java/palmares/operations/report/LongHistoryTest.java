package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.time.SqlTime;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Pages that many people open read little, however long the history and however large a payout. */
@WorldTest
class LongHistoryTest {
  private static final int YEARS_OF_PERIODS = 20_000;

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Records records;
  @Autowired private JdbcClient jdbc;
  @Autowired private LatestClosings closings;
  @Autowired private PeriodList periods;
  @Autowired private PendingDecisions decisions;
  @Autowired private Revisions revisions;

  private void haveALongHistory(Period like) {
    servers.addSettled(like, YEARS_OF_PERIODS);
    servers.unguarded(
        () -> {
          servers.sql(
              """
              insert into run (
                period_id, fence, node, cause, started_at, ended_at, outcome, failure)
              select id, run.fence, 'gone', 'sweep', settled_at, settled_at, outcome,
                '{"code": "verbatim", "values": {"text": "none"}, "text": "none"}'
              from period
              cross join (values (1, 'failed'), (2, 'settled')) run (fence, outcome)
              where board = 'settled'
              """);
          servers.sql(
              """
              insert into revision (
                id, period_id, revision, definition_hash, owed, prepared_by, prepared_at,
                verdict, decided_by, decided_at, verdict_reason, posted_at, fence, filled_at,
                lines, line_sum, payments, payment_sum)
              select -1000000 - id, id, 1, definition_hash, 'take', 'x', settled_at,
                'approved', 'x', settled_at, 'x', settled_at, 1, settled_at, 0, 0, 0, 0
              from period
              where board = 'settled'
              """);
        });
    servers.sql("analyze period, run, revision");
  }

  private String plan(String statement) {
    return String.join(
        "\n",
        jdbc.sql("explain " + statement)
            .param("from", SqlTime.utc(world.now().minus(Duration.ofDays(1))))
            .param("now", SqlTime.utc(world.now()))
            .param("overdue", SqlTime.utc(world.now()))
            .param("upcoming", PeriodState.UPCOMING)
            .query(String.class)
            .list());
  }

  @Test
  void theLastClosingsAndWhatNeedsAPersonAreFoundByIndexes() {
    Period day = world.open(world.board(Contest.rules()));
    world.takeAll(Contest.facts(), World.ANYBODY);
    world.settle(day);
    haveALongHistory(day);
    assertThat(plan(LatestClosings.COUNTS)).contains("period_settled", "failed_run");
    assertThat(plan(LatestClosings.PAID)).contains("revision_posted");
    assertThat(plan(LatestClosings.SLOWEST)).contains("settled_run");
    assertThat(plan(PeriodList.ENTRIES + "where " + PeriodList.ATTENTION))
        .contains("period_due", "a period has one amendment at a time");
    for (String statement :
        List.of(
            LatestClosings.COUNTS,
            LatestClosings.PAID,
            LatestClosings.SLOWEST,
            PeriodList.ENTRIES + "where " + PeriodList.ATTENTION)) {
      assertThat(plan(statement))
          .as(statement)
          .doesNotContainPattern("Seq Scan on (period|run|revision)\\b");
    }
    var lately = closings.since(world.now().minus(Duration.ofDays(1)));
    assertThat(lately.closed()).isOne();
    assertThat(lately.failed()).isZero();
    assertThat(lately.paid())
        .singleElement()
        .hasToString("Paid[currency=credits, paid=1680, takenBack=0]");
    assertThat(periods.attention(null, 10)).isEmpty();
  }

  private List<Sum> sums(Period held) {
    Collection<List<Sum>> sums = decisions.sumsByPeriod(List.of(held.id())).values();
    assertThat(sums).hasSize(1);
    return sums.iterator().next();
  }

  @Test
  void thePaymentsOfAnOutcomeAreAddedUpOnceUntilThereAreOthers() {
    Period day = world.open(world.board(Contest.rules().with("payout: { approval: required }")));
    world.takeAll(Contest.facts(), World.ANYBODY);
    world.due(day);
    world.close(day);
    Revision held = revisions.awaitingDecision(List.of(day.id())).get(0);
    List<Sum> whole = decisions.sums(held);
    assertThat(whole).singleElement().hasToString("Sum[currency=credits, gets=1680, owes=0]");
    assertThat(sums(day)).isEqualTo(whole);

    servers.unguarded(() -> servers.sql("delete from payment_shared"));
    assertThat(decisions.sums(held)).as("kept by the stored checksum").isEqualTo(whole);
    assertThat(sums(day)).isEqualTo(whole);
    servers.unguarded(
        () ->
            servers.sql(
                "update revision set payment_sum = payment_sum + 1 where id = ?", held.id()));
    assertThat(decisions.sums(held)).as("other payments").isEmpty();
    assertThat(sums(day)).isEmpty();
    assertThat(records.number("select count(*) from payment")).isZero();
  }
}
