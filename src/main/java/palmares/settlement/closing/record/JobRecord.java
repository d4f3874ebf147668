package palmares.settlement.closing.record;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
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
 * Records jobs with one statement when a step begins, which also records the end of the step before
 * it, and one when the job ends.
 *
 * <p>Further writes of Spring Batch's own repository would be useless here. Steps keep nothing in
 * their context, since the period's state is their checkpoint. Every step may run again, and the
 * period's lease decides who may run a job.
 */
class JobRecord extends SimpleJobRepository {
  private final RecordRows rows;
  private final Map<Long, Unwritten> running = new ConcurrentHashMap<>();

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

  /** Returns the instance with these parameters, and inserts it if it is missing. */
  @Override
  public JobInstance createJobInstance(String job, JobParameters parameters) {
    return new JobInstance(rows.findOrInsertInstance(job, parameters), job);
  }

  /** Begins an execution, and marks the instance's unfinished ones failed. */
  @Override
  public JobExecution createJobExecution(
      JobInstance instance, JobParameters parameters, ExecutionContext context) {
    requireEmpty(context);
    RecordRows.Reserved reserved = rows.begin(instance, parameters);
    var execution = new JobExecution(reserved.execution(), instance, parameters);
    instance.addJobExecution(execution);
    running.put(execution.getId(), new Unwritten(reserved.steps()));
    return execution;
  }

  @Override
  public StepExecution createStepExecution(String name, JobExecution execution) {
    var step = new StepExecution(unwritten(execution).nextStep(rows::reserve), name, execution);
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

  @Override
  public void update(StepExecution step) {
    if (unwritten(step.getJobExecution()).add(step) && step.getStatus() == BatchStatus.STARTED) {
      write(step.getJobExecution());
    }
  }

  /** Writes the end of the execution, and ignores later updates, which add nothing. */
  @Override
  public void update(JobExecution execution) {
    if (execution.getEndTime() != null && running.containsKey(execution.getId())) {
      try {
        write(execution);
      } finally {
        running.remove(execution.getId());
      }
    }
  }

  private void write(JobExecution execution) {
    rows.write(execution, unwritten(execution).take());
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

  private Unwritten unwritten(JobExecution execution) {
    return Objects.requireNonNull(
        running.get(execution.getId()), "an execution that began in this process");
  }

  /** The steps of a running job that have changed since they were written. */
  private static final class Unwritten {
    private final Queue<Long> ids;
    private final Set<Long> known = new HashSet<>();
    private final Map<Long, StepExecution> changed = new LinkedHashMap<>();

    /**
     * @param ids reserved for the coming steps
     */
    Unwritten(Collection<Long> ids) {
      this.ids = new ArrayDeque<>(ids);
    }

    /** Returns the id of a new step, and reserves more if none is left. */
    synchronized long nextStep(Supplier<List<Long>> more) {
      if (ids.isEmpty()) {
        ids.addAll(more.get());
      }
      return ids.remove();
    }

    /**
     * Notes that a step has changed.
     *
     * @return whether the step is new
     */
    synchronized boolean add(StepExecution step) {
      changed.put(step.getId(), step);
      return known.add(step.getId());
    }

    /** Returns the changed steps in the order in which they began, and counts them as written. */
    synchronized List<StepExecution> take() {
      var all = new ArrayList<>(changed.values());
      changed.clear();
      return all;
    }
  }
}
