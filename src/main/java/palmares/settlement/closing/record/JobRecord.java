package palmares.settlement.closing.record;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.BatchStatus;
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
 * The record of jobs, written when a step begins, together with how the one before it ended, and
 * when the job ends. What Spring Batch would write in between tells nobody anything: a step of ours
 * keeps nothing in its context, since the period's state is its checkpoint, and may always run
 * again. Who may run a job, the period's lease says.
 */
class JobRecord extends SimpleJobRepository {
  private final RecordRows rows;
  private final Map<Long, UnwrittenRecords> underway = new ConcurrentHashMap<>();

  JobRecord(Readers readers, RecordRows rows) {
    super(readers.instances(), readers.executions(), readers.steps(), readers.contexts());
    this.rows = rows;
  }

  /** What reads the tables as Spring Batch does. */
  record Readers(
      JobInstanceDao instances,
      JobExecutionDao executions,
      StepExecutionDao steps,
      ExecutionContextDao contexts) {}

  /** The instance with these parameters, made if it is not there yet. */
  @Override
  public JobInstance createJobInstance(String job, JobParameters parameters) {
    return new JobInstance(rows.instance(job, parameters), job);
  }

  /** Begins an execution; what the instance's earlier ones left running has failed by now. */
  @Override
  public JobExecution createJobExecution(
      JobInstance instance, JobParameters parameters, ExecutionContext context) {
    requireNothing(context);
    RecordRows.Reserved reserved = rows.begin(instance, parameters);
    var execution = new JobExecution(reserved.execution(), instance, parameters);
    instance.addJobExecution(execution);
    underway.put(execution.getId(), new UnwrittenRecords(reserved.steps()));
    return execution;
  }

  @Override
  public StepExecution createStepExecution(String name, JobExecution execution) {
    var step = new StepExecution(notes(execution).nextStep(rows::reserve), name, execution);
    execution.addStepExecution(step);
    return step;
  }

  /** Whether it ran before changes nothing: a step finds out by itself what is left to do. */
  @Override
  public @Nullable StepExecution getLastStepExecution(JobInstance instance, String step) {
    return null;
  }

  @Override
  public long getStepExecutionCount(JobInstance instance, String step) {
    return 0;
  }

  @Override
  public void update(StepExecution step) {
    if (notes(step.getJobExecution()).add(step) && step.getStatus() == BatchStatus.STARTED) {
      write(step.getJobExecution());
    }
  }

  /** Written once more than its steps: when it has ended. What comes after that is nothing new. */
  @Override
  public void update(JobExecution execution) {
    if (execution.getEndTime() != null && underway.containsKey(execution.getId())) {
      try {
        write(execution);
      } finally {
        underway.remove(execution.getId());
      }
    }
  }

  private void write(JobExecution execution) {
    rows.write(execution, notes(execution).take());
  }

  @Override
  public void updateExecutionContext(StepExecution step) {
    requireNothing(step.getExecutionContext());
  }

  @Override
  public void updateExecutionContext(JobExecution execution) {
    requireNothing(execution.getExecutionContext());
  }

  /** Spring Batch leaves marks of its own there, which are of no use to anybody. */
  private static void requireNothing(ExecutionContext context) {
    context.toMap().keySet().stream()
        .filter(key -> !key.startsWith("batch."))
        .findFirst()
        .ifPresent(
            key -> {
              throw new IllegalStateException(
                  "a step keeps '%s' in its context, which nobody writes down".formatted(key));
            });
  }

  private UnwrittenRecords notes(JobExecution execution) {
    return Objects.requireNonNull(
        underway.get(execution.getId()), "an execution that began in this process");
  }
}
