package palmares.settlement.closing.springbatch;

import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobInstance;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.repository.dao.ExecutionContextDao;
import org.springframework.batch.core.repository.dao.JobExecutionDao;
import org.springframework.batch.core.repository.dao.JobInstanceDao;
import org.springframework.batch.core.repository.dao.StepExecutionDao;
import org.springframework.batch.core.repository.support.SimpleJobRepository;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.infrastructure.item.ExecutionContext;

/**
 * Records jobs with one statement when a job begins, and one with all of its steps when it ends.
 *
 * <p>Further writes of Spring Batch's own repository would be useless here. Steps keep nothing in
 * their context, since the period's state is their checkpoint. Every step may run again, and the
 * period's lease decides who may run a job. What a running step has done is the progress of the
 * run.
 */
public class JobRecord extends SimpleJobRepository {
  private final RecordRows rows;

  JobRecord(Readers readers, RecordRows rows) {
    super(readers.instances(), readers.executions(), readers.steps(), readers.contexts());
    this.rows = rows;
  }

  /** The data access objects of Spring Batch, which read the tables. */
  record Readers(
      JobInstanceDao instances,
      JobExecutionDao executions,
      StepExecutionDao steps,
      ExecutionContextDao contexts) {}

  /**
   * Begins an execution of the job with these parameters, and marks its unfinished ones failed: the
   * lease proves that the process which ran them is dead or has lost the period.
   */
  public JobExecution begin(String job, JobParameters parameters) {
    RecordRows.Begun begun = rows.begin(job, parameters);
    var instance = new JobInstance(begun.instance(), job);
    var execution = new JobExecution(begun.execution(), instance, parameters);
    instance.addJobExecution(execution);
    return execution;
  }

  /** Numbers the steps of an execution; their rows get other ids. */
  @Override
  public StepExecution createStepExecution(String name, JobExecution execution) {
    var step = new StepExecution(execution.getStepExecutions().size() + 1L, name, execution);
    execution.addStepExecution(step);
    return step;
  }

  /** Returns null: a step reads from the period's state what is left to do. */
  @Override
  public @Nullable StepExecution getLastStepExecution(JobInstance instance, String step) {
    return null;
  }

  @Override
  public long getStepExecutionCount(JobInstance instance, String step) {
    return 0;
  }

  /** Does nothing: the end of the execution writes its steps. */
  @Override
  public void update(StepExecution step) {}

  /** Writes the end of the execution, and ignores other updates, which add nothing. */
  @Override
  public void update(JobExecution execution) {
    if (execution.getEndTime() != null) {
      rows.end(execution);
    }
  }

  @Override
  public void updateExecutionContext(StepExecution step) {
    requireEmpty(step.getExecutionContext());
  }

  @Override
  public void updateExecutionContext(JobExecution execution) {
    requireEmpty(execution.getExecutionContext());
  }

  /** Allows the entries of Spring Batch itself, which nobody reads. */
  private static void requireEmpty(ExecutionContext context) {
    context.toMap().keySet().stream()
        .filter(key -> !key.startsWith("batch."))
        .findFirst()
        .ifPresent(
            key -> {
              throw new IllegalStateException(
                  "a step keeps '%s' in its context, which is not stored".formatted(key));
            });
  }
}
