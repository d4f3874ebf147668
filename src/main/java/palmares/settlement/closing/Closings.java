package palmares.settlement.closing;

import static java.util.stream.Collectors.joining;

import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobExecutionException;
import org.springframework.stereotype.Component;
import palmares.period.DuePeriods;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.StaleLease;
import palmares.period.WrongState;
import palmares.settlement.closing.ClosingResult.Outcome;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Closes periods that are due, each under its lease, whoever asks for it and however often. */
@Component
public class Closings {
  private static final Logger LOG = LoggerFactory.getLogger(Closings.class);

  private final Periods periods;
  private final Leases leases;
  private final DuePeriods duePeriods;
  private final Revisions revisions;
  private final Runs runs;
  private final Attempts attempts;
  private final ClosingLauncher launch;

  Closings(
      Periods periods,
      Leases leases,
      DuePeriods duePeriods,
      Revisions revisions,
      Runs runs,
      Attempts attempts,
      ClosingLauncher launch) {
    this.periods = periods;
    this.leases = leases;
    this.duePeriods = duePeriods;
    this.revisions = revisions;
    this.runs = runs;
    this.attempts = attempts;
    this.launch = launch;
  }

  /**
   * Takes a due period to settled, from wherever an earlier attempt left it, or to where a person
   * must look at it.
   *
   * @param cause who or what asks for it, for the record
   * @param watcher is told the name of each step as it begins
   * @throws WrongState if the period is not over yet
   */
  public ClosingResult close(PeriodId id, ClosingCause cause, Consumer<String> watcher) {
    Period period = periods.get(id);
    if (settled(period)) {
      return new ClosingResult(period, Outcome.ALREADY_SETTLED, null);
    }
    duePeriods.requireOver(period);
    Optional<Lease> lease = leases.take(id, Lease.THIS_PROCESS);
    if (lease.isEmpty()) {
      return new ClosingResult(period, Outcome.BUSY, "another process is closing it");
    }
    try {
      Period held = periods.get(id);
      return settled(held) // by somebody else, between our look and our lease
          ? new ClosingResult(held, Outcome.ALREADY_SETTLED, null)
          : attempt(held, new Attempt(cause, lease.get(), watcher));
    } finally {
      leases.release(lease.get());
    }
  }

  private static boolean settled(Period period) {
    return period.state().isSettled();
  }

  private ClosingResult attempt(Period period, Attempt attempt) {
    attempts.begin(attempt);
    try {
      runs.begin(attempt.lease(), attempt.cause().what());
      return record(attempt, launch.run(period));
    } catch (JobExecutionException | RuntimeException e) {
      return fail(attempt, e.getCause() == null ? e : e.getCause());
    } finally {
      attempts.end(attempt);
    }
  }

  private ClosingResult record(Attempt attempt, JobExecution execution) {
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
    Period settled = periods.get(attempt.lease().period());
    runs.end(attempt.lease(), "settled", attempt.step(), null);
    LOG.info("settled board={} period={}", settled.board(), settled.name());
    return new ClosingResult(settled, Outcome.SETTLED, null);
  }

  private ClosingResult hold(Attempt attempt) {
    Period held = periods.get(attempt.lease().period());
    String reasons =
        revisions
            .find(held.id(), Revision.FIRST)
            .map(revision -> String.join("; ", revision.heldFor()))
            .orElse("");
    runs.end(attempt.lease(), "held", attempt.step(), reasons);
    LOG.warn(
        "{} board={} period={}; nothing is paid until a person decides: {}",
        held.state().word(),
        held.board(),
        held.name(),
        reasons);
    return new ClosingResult(held, Outcome.WAITS, reasons);
  }

  private ClosingResult fail(Attempt attempt, Throwable reason) {
    Period period = periods.get(attempt.lease().period());
    if (reason instanceof StaleLease || !leases.holds(attempt.lease())) {
      return new ClosingResult(period, Outcome.LOST, "another process took it over");
    }
    String failure = reason.getMessage() == null ? reason.toString() : reason.getMessage();
    if (settled(period)) {
      runs.end(attempt.lease(), "settled", attempt.step(), null);
      LOG.warn(
          "settled board={} period={}, but its run broke off afterwards: {}",
          period.board(),
          period.name(),
          failure);
      return new ClosingResult(period, Outcome.SETTLED, null);
    }
    runs.fail(attempt.lease(), attempt.step(), failure, reason);
    duePeriods.recordFailure(attempt.lease(), failure);
    LOG.error(
        "not settled board={} period={} step={}; nobody is paid, and it is tried again later"
            + " ('palmares runs {} --failed --stack' shows more): {}",
        period.board(),
        period.name(),
        attempt.step(),
        period.board(),
        failure.lines().collect(joining(" ")));
    LOG.debug("not settled period={}", period.id(), reason);
    return new ClosingResult(period, Outcome.FAILED, failure);
  }
}
