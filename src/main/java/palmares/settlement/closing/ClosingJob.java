package palmares.settlement.closing;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.AbstractStep;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import palmares.period.BoardDefinitions;
import palmares.period.Heartbeat;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.platform.threads.Spans;
import palmares.settlement.outcome.Revision;

/** Lists the steps of a closing, and runs them as a job of Spring Batch. */
@Configuration(proxyBeanMethods = false)
class ClosingJob {
  static final String NAME = "closing";

  /** The identifying job parameter: the number of the period's row. */
  static final String PERIOD = "period";

  private final JobRepository repository;
  private final Attempts attempts;
  private final BoardDefinitions definitions;
  private final Leases leases;
  private final LateWriteCheck lateWrites;
  private final MeterRegistry metrics;
  private final Spans spans;

  ClosingJob(
      JobRepository repository,
      Attempts attempts,
      BoardDefinitions definitions,
      Leases leases,
      LateWriteCheck lateWrites,
      MeterRegistry metrics,
      Spans spans) {
    this.repository = repository;
    this.attempts = attempts;
    this.definitions = definitions;
    this.leases = leases;
    this.lateWrites = lateWrites;
    this.metrics = metrics;
    this.spans = spans;
  }

  @Bean
  Job closing(SealStep seal, DrainStep drain, FillStep fill, PayStep pay) {
    return new JobBuilder(NAME, repository)
        .start(new BatchStep("seal", seal))
        .next(new BatchStep("drain", drain))
        .next(new BatchStep("fill", fill))
        .next(new BatchStep("pay", pay))
        .build();
  }

  /** The parameters of a period's job; the number of its row identifies it. */
  static JobParameters parameters(Period period) {
    return new JobParametersBuilder()
        .addLong(PERIOD, period.id().value())
        .addLong("revision", (long) Revision.FIRST)
        .addString("board", period.board().value(), false)
        .addString("name", period.name().value(), false)
        .toJobParameters();
  }

  /** A step opens its own transactions, and runs again on every attempt. */
  private final class BatchStep extends AbstractStep {
    private final ClosingStep step;

    /**
     * @param name the step's name in the record of runs and in metrics
     */
    BatchStep(String name, ClosingStep step) {
      super(repository);
      this.step = step;
      this.observationRegistry = ObservationRegistry.NOOP;
      setName(name);
      setAllowStartIfComplete(true);
    }

    @Override
    protected void doExecute(StepExecution execution) {
      if (!run(getName(), step, execution)) {
        execution.setTerminateOnly();
      }
    }
  }

  private boolean run(String name, ClosingStep step, StepExecution execution) {
    Long id = Objects.requireNonNull(execution.getJobParameters().getLong(PERIOD), PERIOD);
    Attempt attempt = attempts.get(new PeriodId(id));
    attempt.enter(name);
    Closing closing = closing(attempt);
    if (closing.period().state().isSealed()) {
      lateWrites.check(closing);
    }
    return metrics
        .timer("palmares.closing.step", "step", name)
        .record(() -> spans.call("step " + name, () -> step.run(closing)));
  }

  private Closing closing(Attempt attempt) {
    Period period = attempt.period();
    return new Closing(
        period,
        definitions.of(period),
        attempt.lease(),
        attempt.cause(),
        new Heartbeat(leases, attempt.lease()),
        attempt.progress(),
        attempt::changed);
  }
}
