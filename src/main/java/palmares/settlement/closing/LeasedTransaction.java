package palmares.settlement.closing;

import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.Transitions;
import palmares.platform.infra.WorkPermit;

/**
 * Runs work in one transaction that holds the lease of a closing, and stores its progress. If the
 * process dies, nothing of the work is left; if it has lost the lease, or must not work, the work
 * does not begin.
 */
@Component
class LeasedTransaction {
  private final TransactionTemplate transaction;
  private final Leases leases;
  private final Transitions transitions;
  private final Runs runs;
  private final WorkPermit permit;

  LeasedTransaction(
      TransactionTemplate transaction,
      Leases leases,
      Transitions transitions,
      Runs runs,
      WorkPermit permit) {
    this.transaction = transaction;
    this.leases = leases;
    this.transitions = transitions;
    this.runs = runs;
    this.permit = permit;
  }

  /**
   * Runs the work.
   *
   * @throws palmares.period.Leases.StaleLease if another process has taken the period over
   */
  void run(Closing closing, Runnable work) {
    call(
        closing,
        () -> {
          work.run();
          return true;
        });
  }

  /**
   * Runs work that changes the state of the period, and ends the step.
   *
   * @param work returns the period in its new state
   */
  void change(Closing closing, Function<Transitions, Period> work) {
    Period changed =
        call(
            closing,
            () -> {
              Period after = work.apply(transitions);
              closing.progress().endStep();
              return after;
            });
    closing.changed().accept(changed);
  }

  /**
   * Runs work that shares the lease with parallel transactions of the closing, and stores no
   * progress.
   *
   * @throws palmares.period.Leases.StaleLease if another process has taken the period over
   */
  void runShared(Closing closing, Runnable work) {
    permit.require();
    transaction.executeWithoutResult(
        status -> {
          leases.share(closing.lease());
          work.run();
        });
  }

  /** As {@link #run}, and returns the result of the work. */
  <T> T call(Closing closing, Supplier<T> work) {
    permit.require();
    return transaction.execute(
        status -> {
          leases.holdAndKeepPlans(closing.lease());
          T result = work.get();
          runs.store(closing.progress());
          return result;
        });
  }
}
