package palmares.settlement.closing;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.DuePeriods;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Leases.Leased;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.platform.Refusal;
import palmares.platform.infra.WorkPermit.WorkSuspended;
import palmares.platform.text.Texts;
import palmares.platform.threads.Outages;
import palmares.settlement.closing.ClosingResult.Status;

/** Closes periods that are due, each under its lease. Closing a settled period changes nothing. */
@Component
public class Closings {
  private static final Logger LOG = LoggerFactory.getLogger(Closings.class);

  private final Periods periods;
  private final Leases leases;
  private final DuePeriods duePeriods;
  private final Runs runs;
  private final Attempts attempts;
  private final AttemptRunner runner;
  private final TransactionTemplate transaction;
  private final BigPeriods bigPeriods;

  /** Why periods could not be begun when they were last tried. */
  private final Map<PeriodId, String> notBegun = new ConcurrentHashMap<>();

  Closings(
      Periods periods,
      Leases leases,
      DuePeriods duePeriods,
      Runs runs,
      Attempts attempts,
      AttemptRunner runner,
      TransactionTemplate transaction,
      BigPeriods bigPeriods) {
    this.periods = periods;
    this.leases = leases;
    this.duePeriods = duePeriods;
    this.runs = runs;
    this.attempts = attempts;
    this.runner = runner;
    this.transaction = transaction;
    this.bigPeriods = bigPeriods;
  }

  /**
   * Closes a due period, or resumes where an earlier attempt ended. The closing ends when the
   * period is settled or held for a person's approval.
   *
   * @param stepListener receives the name of each step when it begins
   * @throws WrongState if the period is not over yet, its board is paused, or an import fills it
   * @throws WorkSuspended if this process must not close any
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
   * hangs, it would take one worker after another. Nor are more big periods than this process fills
   * at the same time: they would wait here, while another scheduler has nothing to do.
   *
   * @param skipped periods that are not taken; those that cannot be begun are added
   * @param next runs during the attempt, as soon as the period keeps no other from being taken
   */
  synchronized Optional<Attempt> takeDue(Set<PeriodId> skipped, Runnable next) {
    skipped.addAll(attempts.periods());
    while (true) {
      try {
        Optional<Taken> taken =
            transaction.execute(
                status ->
                    duePeriods
                        .lockNextDue(skipped, bigPeriods.mostMembers())
                        .flatMap(
                            id ->
                                beginDue(id, next)
                                    .map(begun -> new Taken(begun, bigPeriods.isBig(id)))));
        taken
            .filter(Taken::isBig)
            .ifPresent(each -> bigPeriods.add(each.attempt().lease().period()));
        return taken.map(Taken::attempt);
      } catch (NotBegun e) {
        logNotBegun(e.period, e.reason);
        skipped.add(e.period);
      }
    }
  }

  /** An attempt that is committed before it counts. */
  private record Taken(Attempt attempt, boolean isBig) {}

  /** Rounds try such a period again each second. */
  private void logNotBegun(PeriodId period, RuntimeException failure) {
    String reason = Texts.english(Refusal.said(failure));
    if (!reason.equals(notBegun.put(period, reason))) {
      LOG.warn("closing not begun period={}; it is tried again: {}", period, reason);
      LOG.debug("closing not begun period={}", period, failure);
    }
  }

  private Optional<Attempt> beginDue(PeriodId id, Runnable next) {
    Consumer<String> stepListener =
        step -> {
          if (bigPeriods.removeIfSmall(id)) {
            next.run();
          }
        };
    try {
      Optional<Attempt> begun = begin(id, ClosingCause.of("schedule"), () -> {}, stepListener);
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
    bigPeriods.remove(attempt.lease().period());
    runs.forget(attempt.lease());
    leases.releaseLazily(attempt.lease());
  }

  /**
   * Runs an attempt to its end. If it throws, it could not record the next attempt; the lease,
   * which is kept until it expires, then delays that.
   */
  ClosingResult finish(Attempt attempt) {
    try {
      ClosingResult result = runner.run(attempt);
      leases.releaseLazily(attempt.lease());
      return result;
    } finally {
      bigPeriods.remove(attempt.lease().period());
    }
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
}
