package palmares.settlement.closing;

import static java.util.Objects.requireNonNullElse;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Future;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.ExitStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobExecutionException;
import org.springframework.batch.core.job.JobInstance;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.platform.threads.LogContext;
import palmares.platform.threads.Spans;

/** Runs the closing job for attempts that have their lease. */
@Component
class AttemptRunner {
  private static final Set<BatchStatus> ENDED =
      EnumSet.of(BatchStatus.COMPLETED, BatchStatus.FAILED, BatchStatus.STOPPED);

  private static final int MAX_READS_OF_EXECUTIONS = 5;

  private final Attempts attempts;
  private final Runs runs;
  private final ClosingResults results;
  private final JobRepository jobs;
  private final Job closing;
  private final Spans spans;

  AttemptRunner(
      Attempts attempts,
      Runs runs,
      ClosingResults results,
      JobRepository jobs,
      Job closing,
      Spans spans) {
    this.attempts = attempts;
    this.runs = runs;
    this.results = results;
    this.jobs = jobs;
    this.closing = closing;
    this.spans = spans;
  }

  /** Runs an attempt to its end, and records it. */
  ClosingResult run(Attempt attempt) {
    Period period = attempt.period();
    attempts.begin(attempt);
    long start = System.nanoTime();
    try (LogContext context =
        LogContext.of(LogContext.NODE, runs.node())
            .and(LogContext.BOARD, period.board())
            .and(LogContext.PERIOD, period.name())) {
      context.and(LogContext.RUN, attempt.progress().run());
      return spans.call(
          "closing", () -> run(attempt, start), "board", period.board(), "period", period.name());
    } finally {
      attempts.end(attempt);
    }
  }

  private ClosingResult run(Attempt attempt, long start) {
    Future<?> storing = attempts.storeProgress(attempt.progress());
    try {
      return results.record(attempt, run(attempt.period()), start);
    } catch (JobExecutionException | RuntimeException e) {
      return results.fail(attempt, e.getCause() == null ? e : e.getCause());
    } finally {
      storing.cancel(false);
    }
  }

  /**
   * Runs the closing job. A {@code JobOperator} would refuse if the record says that the job is
   * running; the lease proves that the process which ran it is dead or has lost the period.
   */
  private JobExecution run(Period period) throws JobExecutionException {
    JobParameters parameters = ClosingJob.parameters(period);
    JobInstance instance = jobs.getJobInstance(ClosingJob.NAME, parameters);
    if (instance == null) {
      instance = jobs.createJobInstance(ClosingJob.NAME, parameters);
    } else {
      markFormerFailed(instance);
    }
    JobExecution execution = jobs.createJobExecution(instance, parameters, new ExecutionContext());
    closing.execute(execution);
    return execution;
  }

  /** If a former attempt ends its step at the same time, reads its executions again. */
  private void markFormerFailed(JobInstance instance) {
    for (int reads = 1; ; reads++) {
      try {
        jobs.getJobExecutions(instance).forEach(this::markFailed);
        return;
      } catch (OptimisticLockingFailureException e) {
        if (reads == MAX_READS_OF_EXECUTIONS) {
          throw e;
        }
      }
    }
  }

  /**
   * Marks failed what a process left without an end, or what somebody has abandoned: Spring Batch
   * would restart no unknown step, and skip an abandoned one.
   */
  private void markFailed(JobExecution former) {
    for (StepExecution step : former.getStepExecutions()) {
      if (!ENDED.contains(step.getStatus())) {
        step.setStatus(BatchStatus.FAILED);
        step.setExitStatus(ExitStatus.FAILED);
        step.setEndTime(requireNonNullElse(step.getLastUpdated(), step.getCreateTime()));
        jobs.update(step);
      }
    }
    if (!ENDED.contains(former.getStatus())) {
      former.setStatus(BatchStatus.FAILED);
      former.setExitStatus(ExitStatus.FAILED);
      former.setEndTime(requireNonNullElse(former.getLastUpdated(), former.getCreateTime()));
      jobs.update(former);
    }
  }
}
