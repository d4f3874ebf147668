package palmares.settlement.closing;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobExecutionException;
import org.springframework.batch.core.job.JobInstance;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.settlement.outcome.Revision;

/**
 * Runs the closing job, from the beginning or from where an earlier attempt left the period. Called
 * under the period's lease only: that keeps two nodes from running it, and tells what a {@code
 * JobOperator} cannot know, that whoever ran it before is dead or fenced.
 */
@Component
class ClosingLauncher {
  private final JobRepository repository;
  private final Job closing;

  ClosingLauncher(JobRepository repository, Job closing) {
    this.repository = repository;
    this.closing = closing;
  }

  JobExecution run(Period period) throws JobExecutionException {
    JobParameters parameters = parameters(period);
    JobInstance instance = repository.createJobInstance(ClosingJob.NAME, parameters);
    JobExecution execution =
        repository.createJobExecution(instance, parameters, new ExecutionContext());
    closing.execute(execution);
    return execution;
  }

  static JobParameters parameters(Period period) {
    return new JobParametersBuilder()
        .addLong(ClosingJob.PERIOD, period.id().value())
        .addLong("revision", (long) Revision.FIRST)
        .addString("board", period.board().value(), false)
        .addString("name", period.name().value(), false)
        .toJobParameters();
  }
}
