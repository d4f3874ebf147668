package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Records of runs go some time after their period was settled, and never before. */
@WorldTest
class PruningTest {
  private static final List<String> BATCH =
      List.of(
          "batch_job_instance",
          "batch_job_execution",
          "batch_job_execution_params",
          "batch_job_execution_context",
          "batch_step_execution",
          "batch_step_execution_context");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Pruning pruning;

  private Period failed;
  private Period settled;

  @BeforeEach
  void aPeriodThatFailedAndOneThatIsSettled() {
    failed = world.open(world.board(Contest.rules()));
    settled = world.open(world.board(Contest.rules().with("title: Another")));
    world.take(Contest.facts());
    fail(failed);
    fail(settled);
    world.settle(settled);
  }

  private void fail(Period period) {
    ClosingResult closed =
        world.close(
            period,
            step -> {
              throw new IllegalStateException("killed at " + step);
            });
    assertThat(closed.outcome()).isEqualTo(Status.FAILED);
  }

  private long runs(Period period) {
    return records.number("select count(*) from run where period_id = ?", period.id().value());
  }

  private long jobs() {
    return records.number("select count(*) from batch_job_instance");
  }

  @Test
  void recordsStayForTheConfiguredTime() {
    world.pass(Duration.ofDays(90).minusSeconds(1));
    pruning.prune();
    assertThat(runs(settled)).isEqualTo(2);
    assertThat(jobs()).isEqualTo(2);
  }

  @Test
  void aPeriodThatIsNotSettledKeepsItsRecords() {
    world.pass(Duration.ofDays(1_000));
    pruning.prune();
    assertThat(runs(failed)).isOne();
    assertThat(runs(settled)).isZero();
    assertThat(jobs()).isOne();
    assertThat(
            records.words(
                "select parameter_value from batch_job_execution_params "
                    + "where parameter_name = 'period'"))
        .containsExactly("" + failed.id());

    world.settle(failed);
    world.pass(Duration.ofDays(91));
    pruning.prune();
    assertThat(BATCH)
        .allSatisfy(
            table ->
                assertThat(records.number("select count(*) from " + table)).as(table).isZero());
    assertThat(world.close(failed).outcome()).isEqualTo(Status.ALREADY_SETTLED);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void manyRecordsAreDeletedInSlices() {
    servers.sql(
        """
        insert into run (period_id, fence, node, cause, started_at, ended_at, outcome)
        select ?, -n, 'test', 'test', settled_at, settled_at, 'abandoned'
        from period cross join generate_series(1, ?) n
        where period.id = ?
        """,
        settled.id().value(),
        2 * Pruning.MAX_ROWS_PER_STATEMENT + 1,
        settled.id().value());
    world.pass(Duration.ofDays(91));
    pruning.prune();
    assertThat(runs(settled)).isZero();
  }

  @Test
  void aRetentionOfLessThanADayIsRefused() {
    assertThatThrownBy(() -> new Pruning.Settings(Duration.ofHours(23)))
        .hasMessage("palmares.runs.keep is '23h', and must be 1d or more");
  }
}
