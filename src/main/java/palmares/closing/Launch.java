package palmares.closing;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobExecutionException;
import org.springframework.batch.core.job.JobInstance;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.revision.Revision;

/**
 * Starts the closing job, or goes on with what an earlier attempt left. Called under the period's
 * lease only: Spring Batch itself does not keep two nodes from restarting one instance.
 */
@Component
class Launch {
  private final JobOperator operator;
  private final JobRepository repository;
  private final Job closing;
  private final JdbcClient jdbc;

  Launch(JobOperator operator, JobRepository repository, Job closing, JdbcClient jdbc) {
    this.operator = operator;
    this.repository = repository;
    this.closing = closing;
    this.jdbc = jdbc;
  }

  JobExecution run(Period period) throws JobExecutionException {
    JobParameters parameters = parameters(period);
    JobInstance begun = repository.getJobInstance(ClosingJob.NAME, parameters);
    if (begun == null) {
      return operator.start(closing, parameters);
    }
    JobExecution last =
        repository.getJobExecutions(begun).stream()
            .max(Comparator.comparing(JobExecution::getId))
            .orElse(null);
    if (last == null) {
      // Its process died between the two inserts: Spring Batch can neither start nor restart it.
      repository.deleteJobInstance(begun);
      return operator.start(closing, parameters);
    }
    if (last.isRunning() || last.getStatus() == BatchStatus.UNKNOWN) {
      adopt(last);
      last = Objects.requireNonNull(repository.getJobExecution(last.getId()));
    }
    return operator.restart(last);
  }

  static JobParameters parameters(Period period) {
    return new JobParametersBuilder()
        .addLong(ClosingJob.PERIOD, period.id().value())
        .addLong("revision", (long) Revision.FIRST)
        .addString("board", period.board().value(), false)
        .addString("name", period.name().value(), false)
        .toJobParameters();
  }

  /**
   * Declares what a dead or fenced owner left behind as failed, which is what Spring Batch restarts
   * from. Its own recover() refuses UNKNOWN; the lease tells us what it cannot know.
   */
  private void adopt(JobExecution left) {
    for (String sql : List.of(ADOPT_STEPS, ADOPT_JOB)) {
      jdbc.sql(sql).param("execution", left.getId()).update();
    }
  }

  private static final String ADOPT_STEPS =
      """
      update batch_step_execution
      set status = 'FAILED', exit_code = 'FAILED', end_time = coalesce(end_time, localtimestamp),
        version = version + 1
      where job_execution_id = :execution and status not in ('COMPLETED', 'FAILED')
      """;

  private static final String ADOPT_JOB =
      """
      update batch_job_execution
      set status = 'FAILED', exit_code = 'FAILED', end_time = coalesce(end_time, localtimestamp),
        version = version + 1
      where job_execution_id = :execution
      """;
}
