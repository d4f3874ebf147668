package palmares.settlement.closing;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.DefaultTransactionAttribute;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;

/** How a period closes. */
@Configuration(proxyBeanMethods = false)
class ClosingJob {
  static final String NAME = "closing";

  /** The identifying job parameter: which period's row. */
  static final String PERIOD = "period";

  private final JobRepository repository;
  private final PlatformTransactionManager transactions;
  private final Attempts attempts;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final MeterRegistry metrics;

  ClosingJob(
      JobRepository repository,
      PlatformTransactionManager transactions,
      Attempts attempts,
      Periods periods,
      BoardDefinitions definitions,
      MeterRegistry metrics) {
    this.repository = repository;
    this.transactions = transactions;
    this.attempts = attempts;
    this.periods = periods;
    this.definitions = definitions;
    this.metrics = metrics;
  }

  @Bean
  Job closing(SealStep sealing, FillStep filling, PayStep settling) {
    return new JobBuilder(NAME, repository)
        .start(step("seal", sealing::seal))
        .next(step("drain", filling::drain))
        .next(step("fill", filling::fill))
        .next(gate("pay", settling::pay))
        .build();
  }

  /**
   * A step opens its own transactions, since the period's state is its checkpoint and commits with
   * its effect. It runs again on every start: what is done already, it finds so and leaves.
   */
  private Step step(String name, Consumer<Closing> work) {
    return gate(
        name,
        closing -> {
          work.accept(closing);
          return true;
        });
  }

  /** A step after which the job stops, to be restarted, if it does not say to go on. */
  private Step gate(String name, Predicate<Closing> work) {
    return new StepBuilder(name, repository)
        .tasklet(
            (contribution, chunk) -> {
              Object id = chunk.getStepContext().getJobParameters().get(PERIOD);
              Attempt attempt =
                  attempts.of(new PeriodId((Long) Objects.requireNonNull(id, PERIOD)));
              attempt.enter(name);
              if (!timed(name, () -> work.test(closing(attempt)))) {
                chunk.getStepContext().getStepExecution().setTerminateOnly();
              }
              return RepeatStatus.FINISHED;
            },
            transactions)
        .transactionAttribute(
            new DefaultTransactionAttribute(TransactionDefinition.PROPAGATION_NOT_SUPPORTED))
        .allowStartIfComplete(true)
        .build();
  }

  private boolean timed(String step, BooleanSupplier work) {
    return metrics.timer("palmares.closing.step", "step", step).record(work);
  }

  private Closing closing(Attempt attempt) {
    Period period = periods.get(attempt.lease().period());
    return new Closing(period, definitions.of(period), attempt.lease(), attempt.cause());
  }
}
