package palmares.settlement.closing;

import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.DuePeriods;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Leases.Leased;
import palmares.period.Leases.StaleLease;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.Repair;
import palmares.period.WrongState;
import palmares.platform.Refusal;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.platform.threads.LogContext;
import palmares.platform.threads.Outages;
import palmares.platform.threads.Spans;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.manifest.Manifests;
import palmares.settlement.manifest.Manifests.Awarded;
import palmares.settlement.outbox.Outbox;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Closes periods that are due, each under its lease. Closing a settled period changes nothing. */
@Component
public class Closings {
  private static final Logger LOG = LoggerFactory.getLogger(Closings.class);

  private static final Set<BatchStatus> ENDED =
      EnumSet.of(BatchStatus.COMPLETED, BatchStatus.FAILED, BatchStatus.STOPPED);

  private static final int MAX_READS_OF_EXECUTIONS = 5;

  private final Periods periods;
  private final Leases leases;
  private final DuePeriods duePeriods;
  private final Revisions revisions;
  private final Runs runs;
  private final Attempts attempts;
  private final Manifests manifests;
  private final Outbox outbox;
  private final TransactionTemplate transaction;
  private final JobRepository jobs;
  private final Job closing;
  private final Spans spans;

  /** Why periods could not be begun when they were last tried. */
  private final Map<PeriodId, String> notBegun = new ConcurrentHashMap<>();

  Closings(
      Periods periods,
      Leases leases,
      DuePeriods duePeriods,
      Revisions revisions,
      Runs runs,
      Attempts attempts,
      Manifests manifests,
      Outbox outbox,
      TransactionTemplate transaction,
      JobRepository jobs,
      Job closing,
      Spans spans) {
    this.periods = periods;
    this.leases = leases;
    this.duePeriods = duePeriods;
    this.revisions = revisions;
    this.runs = runs;
    this.attempts = attempts;
    this.manifests = manifests;
    this.outbox = outbox;
    this.transaction = transaction;
    this.jobs = jobs;
    this.closing = closing;
    this.spans = spans;
  }

  /**
   * Closes a due period, or resumes where an earlier attempt ended. The closing ends when the
   * period is settled or held for a person's approval.
   *
   * @param stepListener receives the name of each step when it begins
   * @throws WrongState if the period is not over yet, its board is paused, or an import fills it
   */
  public ClosingResult close(PeriodId id, ClosingCause cause, Consumer<String> stepListener) {
    return close(id, cause, () -> {}, stepListener);
  }

  /**
   * As {@link #close(PeriodId, ClosingCause, Consumer)}, if a condition holds.
   *
   * @param condition runs in the transaction that takes the lease, and throws if it does not hold
   */
  public ClosingResult close(
      PeriodId id, ClosingCause cause, Runnable condition, Consumer<String> stepListener) {
    Period period = periods.get(id);
    if (period.state().isSettled()) {
      return new ClosingResult(period, Status.ALREADY_SETTLED, null);
    }
    duePeriods.requireOver(period);
    Optional<Attempt> begun =
        transaction.execute(status -> begin(id, cause, condition, stepListener));
    if (begun.isEmpty()) {
      Period present = periods.get(id);
      return present.state().isSettled()
          ? new ClosingResult(present, Status.ALREADY_SETTLED, null)
          : new ClosingResult(present, Status.BUSY, new ClosingSentences.AnotherCloses());
    }
    return finish(begun.get());
  }

  /**
   * Takes the earliest due period that no process works on, and records that an attempt begins, in
   * one transaction; a process that dies before {@link #finish} has only a lease that expires. A
   * period that this process still closes is not taken, although its lease has expired: if it
   * hangs, it would take one worker after another.
   *
   * @param skipped periods that are not taken; those that cannot be begun are added
   */
  Optional<Attempt> takeDue(Set<PeriodId> skipped) {
    skipped.addAll(attempts.periods());
    while (true) {
      try {
        return transaction.execute(
            status -> duePeriods.lockNextDue(skipped).flatMap(this::beginDue));
      } catch (NotBegun e) {
        logNotBegun(e.period, e.reason);
        skipped.add(e.period);
      }
    }
  }

  /** Rounds try such a period again each second. */
  private void logNotBegun(PeriodId period, RuntimeException failure) {
    String reason = Texts.english(Refusal.said(failure));
    if (!reason.equals(notBegun.put(period, reason))) {
      LOG.warn("closing not begun period={}; it is tried again: {}", period, reason);
      LOG.debug("closing not begun period={}", period, failure);
    }
  }

  private Optional<Attempt> beginDue(PeriodId id) {
    try {
      Optional<Attempt> begun = begin(id, ClosingCause.of("schedule"), () -> {}, step -> {});
      notBegun.remove(id);
      return begun;
    } catch (RuntimeException e) {
      if (Outages.server(e).isPresent()) {
        throw e;
      }
      throw new NotBegun(id, e);
    }
  }

  /** Rolls back the transaction in which a due period could not be begun. */
  private static final class NotBegun extends RuntimeException {
    private final transient PeriodId period;
    private final RuntimeException reason;

    NotBegun(PeriodId period, RuntimeException reason) {
      super(reason);
      this.period = period;
      this.reason = reason;
    }
  }

  /** Ends an attempt that has run no step, so that any process can take the period at once. */
  void giveBack(Attempt attempt) {
    runs.forget(attempt.lease());
    leases.releaseLazily(attempt.lease());
  }

  /**
   * Runs an attempt to its end. If it throws, it could not record the next attempt; the lease,
   * which is kept until it expires, then delays that.
   */
  ClosingResult finish(Attempt attempt) {
    ClosingResult result = attempt(attempt);
    leases.releaseLazily(attempt.lease());
    return result;
  }

  /**
   * Takes the lease, and records that an attempt begins. Returns empty if another process has the
   * lease, or has settled the period before this one took it.
   */
  private Optional<Attempt> begin(
      PeriodId id, ClosingCause cause, Runnable condition, Consumer<String> stepListener) {
    condition.run();
    Optional<Leased> leased = leases.takeAndRead(id, Lease.THIS_PROCESS);
    if (leased.isEmpty()) {
      return Optional.empty();
    }
    Period period = leased.get().period();
    Lease lease = leased.get().lease();
    if (period.state().isSettled()) {
      leases.release(lease);
      return Optional.empty();
    }
    duePeriods.requireOver(period); // A person may have extended it since it was due.
    duePeriods.requireClosable(period);
    return Optional.of(
        new Attempt(cause, lease, period, runs.begin(lease, cause.what()), stepListener));
  }

  private ClosingResult attempt(Attempt attempt) {
    Period period = attempt.period();
    attempts.begin(attempt);
    long start = System.nanoTime();
    try (LogContext context =
        LogContext.of(LogContext.NODE, runs.node())
            .and(LogContext.BOARD, period.board())
            .and(LogContext.PERIOD, period.name())) {
      context.and(LogContext.RUN, attempt.progress().run());
      return spans.call(
          "closing",
          () -> attempt(attempt, start),
          "board",
          period.board(),
          "period",
          period.name());
    } finally {
      attempts.end(attempt);
    }
  }

  private ClosingResult attempt(Attempt attempt, long start) {
    Future<?> storing = attempts.storeProgress(attempt.progress());
    try {
      return record(attempt, run(attempt.period()), start);
    } catch (JobExecutionException | RuntimeException e) {
      return fail(attempt, e.getCause() == null ? e : e.getCause());
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

  private ClosingResult record(Attempt attempt, JobExecution execution, long start) {
    if (execution.getStatus() == BatchStatus.STOPPED) {
      return hold(attempt);
    }
    if (execution.getStatus() != BatchStatus.COMPLETED) {
      return fail(
          attempt,
          execution.getAllFailureExceptions().stream()
              .findFirst()
              .orElseGet(() -> new IllegalStateException("the job ended " + execution)));
    }
    Period settled = attempt.period();
    runs.end(attempt, "settled", null);
    logSettled(settled, (System.nanoTime() - start) / 1e9);
    return new ClosingResult(settled, Status.SETTLED, null);
  }

  /** Gives the figures as fields, too, for logs that are structured. */
  private void logSettled(Period settled, double seconds) {
    if (!LOG.isInfoEnabled()) {
      return;
    }
    long members = settled.population() == null ? 0 : settled.population().members();
    List<Awarded> awarded = manifests.awarded(settled);
    long awards = awarded.stream().mapToLong(Awarded::awards).sum();
    var sums = new LinkedHashMap<String, BigDecimal>();
    awarded.forEach(each -> sums.put(each.currency(), each.amount()));
    String duration = String.format(Locale.ROOT, "%.3f", seconds);
    LOG.atInfo()
        .addKeyValue("members", members)
        .addKeyValue("awards", awards)
        .addKeyValue("paid", sums)
        .addKeyValue("duration", new BigDecimal(duration))
        .log(
            "settled board={} period={} members={} awards={} paid={} duration={}",
            settled.board(),
            settled.name(),
            members,
            awards,
            sums,
            duration);
  }

  private ClosingResult hold(Attempt attempt) {
    Period held = attempt.period();
    Sentence reasons =
        new ClosingSentences.Reasons(
            revisions.find(held.id(), Revision.FIRST).map(Revision::heldFor).orElse(List.of()));
    runs.end(attempt, "held", reasons);
    LOG.warn(
        "{} board={} period={}; nothing is paid until a person approves it: {}",
        held.state().word(),
        held.board(),
        held.name(),
        Texts.english(reasons));
    return new ClosingResult(held, Status.HELD, reasons);
  }

  private ClosingResult fail(Attempt attempt, Throwable reason) {
    Period period = periods.get(attempt.lease().period());
    if (reason instanceof StaleLease || !leases.holds(attempt.lease())) {
      return new ClosingResult(period, Status.LOST, new ClosingSentences.TakenOver());
    }
    Sentence failure = Refusal.said(reason);
    if (period.state().isSettled()) {
      runs.end(attempt, "settled", null);
      LOG.warn(
          "settled board={} period={}, but its run failed afterwards: {}",
          period.board(),
          period.name(),
          Texts.english(failure));
      return new ClosingResult(period, Status.SETTLED, null);
    }
    runs.fail(attempt, failure, reason);
    transaction.executeWithoutResult(status -> recordFailure(period, attempt, failure, reason));
    LOG.error(
        "not settled board={} period={} step={}; nobody is paid, and it is tried again later"
            + " ('{}' shows more): {}",
        period.board(),
        period.name(),
        attempt.step(),
        Commands.of(
            Next.of("runs").with("board", period.board()).with("failed", true).with("stack", true)),
        Texts.english(failure).lines().collect(joining(" ")));
    LOG.debug("not settled period={}", period.id(), reason);
    return new ClosingResult(period, Status.FAILED, failure);
  }

  private void recordFailure(Period period, Attempt attempt, Sentence failure, Throwable reason) {
    Repair repair = reason instanceof Repair.Needed needed ? needed.repair() : null;
    duePeriods
        .recordFailure(attempt.lease(), failure, repair)
        .ifPresent(retry -> outbox.failed(period, attempt.lease(), attempt.step(), failure, retry));
  }
}
