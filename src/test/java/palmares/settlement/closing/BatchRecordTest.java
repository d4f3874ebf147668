package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobInstance;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.Period;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What Spring Batch's tables say of a closing, which nothing but people rests on. */
@WorldTest
class BatchRecordTest {
  private static final List<String> STEPS = List.of("seal", "drain", "fill", "pay");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private JobRepository batch;

  private Period day;

  @BeforeEach
  void aContestThatIsOver() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
  }

  @Test
  void aJobAndItsStepsAreRecordedWhileTheyRun() {
    world.close(
        day,
        step -> {
          assertThat(jobs()).containsExactly("STARTED UNKNOWN running");
          assertThat(steps()).endsWith(step + " STARTED");
        });
    assertThat(steps()).isEqualTo(STEPS.stream().map(step -> step + " COMPLETED").toList());
    assertThat(jobs()).containsExactly("COMPLETED COMPLETED ended");
  }

  @Test
  void springBatchReadsTheRecord() {
    world.settle(day);
    JobExecution last = last();
    assertThat(last.getStatus()).isEqualTo(BatchStatus.COMPLETED);
    assertThat(last.getJobParameters().getString("board")).isEqualTo(day.board().value());
    assertThat(last.getJobParameters().getLong("period")).isEqualTo(day.id().value());
    assertThat(last.getStepExecutions())
        .extracting(StepExecution::getStepName)
        .containsExactlyInAnyOrderElementsOf(STEPS);
    assertThat(last.getStepExecutions())
        .allSatisfy(
            step -> {
              assertThat(step.getStartTime()).isBetween(last.getStartTime(), last.getEndTime());
              assertThat(step.getEndTime()).isBetween(step.getStartTime(), last.getEndTime());
            });
  }

  @Test
  void aFailureIsRecordedWithItsReasonAndARestartIsAnotherExecution() {
    world.close(
        day,
        step -> {
          if (step.equals("fill")) {
            throw new IllegalStateException("x".repeat(5_000));
          }
        });
    assertThat(jobs()).containsExactly("FAILED FAILED ended");
    assertThat(steps()).hasSize(3).endsWith("fill FAILED");
    assertThat(records.words("select exit_message from batch_job_execution").get(0))
        .contains("x".repeat(2_000));

    assertThat(world.close(day).outcome()).isEqualTo(Status.SETTLED);
    assertThat(jobs()).containsExactly("FAILED FAILED ended", "COMPLETED COMPLETED ended");
    assertThat(records.number("select count(*) from batch_job_instance")).isEqualTo(1);
  }

  @Test
  void anUnfinishedExecutionIsMarkedFailedAndItsFormerOwnerCannotComplete() {
    JobParameters parameters = ClosingJob.parameters(day);
    JobInstance instance = batch.createJobInstance(ClosingJob.NAME, parameters);
    JobExecution former = batch.createJobExecution(instance, parameters, new ExecutionContext());
    batch.createStepExecution("seal", former);
    assertThat(jobs()).containsExactly("STARTING UNKNOWN running");

    world.settle(day);
    assertThat(jobs()).containsExactly("FAILED FAILED ended", "COMPLETED COMPLETED ended");
    assertThat(steps()).startsWith("seal FAILED", "seal COMPLETED");

    former.setStatus(BatchStatus.COMPLETED);
    batch.update(former);
    assertThat(jobs()).element(0).asString().startsWith("FAILED");
  }

  /** Who can write to the database must not be able to run code here. */
  @Test
  void contextsArePlainJson() {
    world.settle(day);
    assertThat(records.words("select short_context from batch_step_execution_context"))
        .hasSameSizeAs(STEPS)
        .allSatisfy(context -> assertThat(context).startsWith("{\"batch."));
  }

  private JobExecution last() {
    JobInstance instance =
        Objects.requireNonNull(batch.getJobInstance(ClosingJob.NAME, ClosingJob.parameters(day)));
    return Objects.requireNonNull(batch.getLastJobExecution(instance));
  }

  private List<String> steps() {
    return records.words(
        "select step_name || ' ' || status from batch_step_execution order by step_execution_id");
  }

  private List<String> jobs() {
    return records.words(
        """
        select
          concat_ws(
            ' ', status, exit_code, case when end_time is null then 'running' else 'ended' end)
        from batch_job_execution
        order by job_execution_id
        """);
  }
}
