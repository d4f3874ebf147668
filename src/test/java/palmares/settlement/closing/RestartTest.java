package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.BoardDefinitions;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.testing.Contest;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Stopped anywhere, by anything, a closing that starts again ends as if nothing had been. */
@WorldTest
class RestartTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private JobRepository batch;
  @Autowired private Leases leases;
  @Autowired private Revisions revisions;
  @Autowired private BoardDefinitions definitions;
  @Autowired private TransactionTemplate transaction;

  private Period day;

  @BeforeEach
  void aContestThatIsOver() {
    servers.sql("drop trigger if exists outage on period");
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
  }

  @AfterEach
  void noOutageOutlivesItsTest() {
    servers.sql("drop trigger if exists outage on period");
  }

  /** A rebuild may have left too few members for tables of the outcome alone. */
  @Test
  void ownTablesOfAnEarlierAttemptAreDropped() {
    Lease lease = leases.take(day.id(), "a process that dies").orElseThrow();
    transaction.executeWithoutResult(
        status -> {
          leases.hold(lease);
          revisions.begin(day, definitions.of(day), "test", Tables.OWN);
        });
    leases.release(lease);
    assertEndsAsIfNothingHadBeen(false);
    assertThat(records.number("select count(*) from pg_class where relname ~ '^line_[0-9]+$'"))
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"seal", "drain", "fill", "pay"})
  void aClosingThatDiesBeforeAStepResumesThere(String step) {
    ClosingResult died = world.close(day, entered -> dieAt(step, entered));
    assertThat(died.outcome()).isEqualTo(Status.FAILED);
    assertThat(records.words("select step from run where outcome = 'failed'"))
        .containsExactly(step);
    assertEndsAsIfNothingHadBeen(false);
  }

  private static void dieAt(String step, String entered) {
    if (entered.equals(step)) {
      throw new IllegalStateException("killed at " + step);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = PeriodState.class,
      names = {"OPEN", "HELD", "REJECTED", "APPROVED", "EXPIRED"},
      mode = EnumSource.Mode.EXCLUDE)
  void aStepThatCannotCommitLeavesNoTrace(PeriodState state) {
    servers.sql(
        """
        create or replace function outage() returns trigger language plpgsql as $$
        begin
          raise exception 'no room on the disk';
        end $$
        """);
    servers.sql(
        """
        create trigger outage after update of state on period
        for each row when (new.state = '%s') execute function outage()
        """
            .formatted(state.word()));
    ClosingResult failed = world.close(day);
    assertThat(failed.outcome()).isEqualTo(Status.FAILED);
    assertThat(failed.text()).contains("no room on the disk");
    assertThat(world.again(day).state()).isEqualTo(before(state));
    servers.sql("drop trigger outage on period");
    assertEndsAsIfNothingHadBeen(false);
  }

  /** Where a closing that nobody has to look at comes from: approved and paid in one change. */
  private static PeriodState before(PeriodState state) {
    return switch (state) {
      case SEALED -> PeriodState.OPEN;
      case FILLED -> PeriodState.SEALED;
      case SETTLED -> PeriodState.FILLED;
      case OPEN, HELD, REJECTED, APPROVED, EXPIRED ->
          throw new IllegalArgumentException(state.word());
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"STARTED", "STARTING", "STOPPING", "UNKNOWN", "ABANDONED"})
  void unfinishedExecutionsOfADeadProcessAreTakenOver(String status) {
    world.close(day, entered -> dieAt("pay", entered));
    servers.sql(
        "update batch_job_execution set status = ?, exit_code = 'UNKNOWN', end_time = null",
        status);
    servers.sql(
        """
        update batch_step_execution
        set status = ?, exit_code = 'UNKNOWN', end_time = null
        where step_name = 'pay'
        """,
        status);
    servers.sql("update run set outcome = 'running', ended_at = null, failure = null");
    assertEndsAsIfNothingHadBeen(false);
    assertThat(records.words("select outcome from run order by id"))
        .containsExactly("abandoned", "settled");
    assertThat(records.words("select status from batch_job_execution order by job_execution_id"))
        .containsExactly("FAILED", "COMPLETED");
  }

  @Test
  void aJobThatDiedBeforeItsFirstExecutionStartsAgain() {
    batch.createJobInstance(ClosingJob.NAME, ClosingJob.parameters(day));
    assertEndsAsIfNothingHadBeen(false);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void repeatedDeathsAnywhereLeadToTheSameOutcome(long seed) {
    var random = new Random(seed);
    for (int death = 0; death < 6; death++) {
      var left = new AtomicInteger(random.nextInt(4));
      world.close(day, entered -> dieAt(left.getAndDecrement() == 0 ? entered : "", entered));
    }
    assertEndsAsIfNothingHadBeen(world.again(day).state() == PeriodState.SETTLED);
  }

  private void assertEndsAsIfNothingHadBeen(boolean settledAlready) {
    ClosingResult closed = world.close(day);
    assertThat(closed.outcome())
        .as(String.valueOf(closed.text()))
        .isEqualTo(settledAlready ? Status.ALREADY_SETTLED : Status.SETTLED);
    assertThat(records.published(day).stream().map(Line::member))
        .containsExactly("ann", "cid", "bob", "dan", "eve");
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.balance("ann")).isEqualTo(1040);
    assertThat(records.verify().named()).isEmpty();
  }
}
