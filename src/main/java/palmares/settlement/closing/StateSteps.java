package palmares.settlement.closing;

import static palmares.period.PeriodState.FILLED;
import static palmares.period.PeriodState.SEALED;

import java.util.function.Predicate;
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
class StateSteps {
  private final TransactionTemplate transaction;
  private final Leases leases;
  private final Transitions transitions;

  StateSteps(TransactionTemplate transaction, Leases leases, Transitions transitions) {
    this.transaction = transaction;
    this.leases = leases;
    this.transitions = transitions;
  }

  /** From open to sealed, with the population that the work finds. */
  void seal(Closing closing, Supplier<Population> work) {
    run(closing, PeriodState::isSealed, () -> transitions.seal(closing.lease(), work.get()));
  }

  /** From sealed to filled: the work writes the outcome. */
  void fill(Closing closing, Runnable work) {
    run(
        closing,
        PeriodState::isFilled,
        () -> {
          work.run();
          transitions.advance(closing.lease(), SEALED, FILLED);
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
    run(closing, PeriodState::isExpired, () -> transitions.expire(closing.lease()));
  }

  /** Shows a sign of life in the middle of long work. */
  void renew(Closing closing) {
    leases.renew(closing.lease());
  }

  /** Does the work, unless the period is there already. */
  private void run(Closing closing, Predicate<PeriodState> isThere, Runnable work) {
    if (isThere.test(closing.period().state())) {
      return;
    }
    within(closing, work);
  }
}
