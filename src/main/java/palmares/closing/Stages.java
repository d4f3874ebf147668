package palmares.closing;

import static palmares.period.PeriodState.EXPIRED;
import static palmares.period.PeriodState.SEALED;

import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Leases;
import palmares.period.PeriodState;
import palmares.period.Population;
import palmares.period.Transitions;

/**
 * Work that takes a period from a state to the next one. The work and the new state commit in one
 * transaction under the lease: done wholly, once, whenever and wherever the process dies.
 */
@Component
class Stages {
  private final TransactionTemplate transaction;
  private final Leases leases;
  private final Transitions transitions;

  Stages(TransactionTemplate transaction, Leases leases, Transitions transitions) {
    this.transaction = transaction;
    this.leases = leases;
    this.transitions = transitions;
  }

  /** From open to sealed, with the population that the work finds. */
  void seal(Closing closing, Supplier<Population> work) {
    run(closing, SEALED, () -> transitions.seal(closing.lease(), work.get()));
  }

  /** Does the work and advances the period, unless it is there already. */
  void advance(Closing closing, PeriodState from, PeriodState to, Runnable work) {
    run(
        closing,
        to,
        () -> {
          work.run();
          transitions.advance(closing.lease(), from, to);
        });
  }

  /** Work that finds out by itself where it leads, in one transaction under the lease. */
  void within(Closing closing, Runnable work) {
    transaction.executeWithoutResult(
        status -> {
          leases.hold(closing.lease());
          work.run();
        });
  }

  /** From settled to expired: all that Redis held of it is gone. */
  void expire(Closing closing) {
    run(closing, EXPIRED, () -> transitions.expire(closing.lease()));
  }

  /** Shows a sign of life in the middle of long work. */
  void renew(Closing closing) {
    leases.renew(closing.lease());
  }

  private void run(Closing closing, PeriodState to, Runnable work) {
    if (to.isReachedBy(closing.period().state())) {
      return;
    }
    within(closing, work);
  }
}
