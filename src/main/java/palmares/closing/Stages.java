package palmares.closing;

import static palmares.period.PeriodState.EXPIRED;
import static palmares.period.PeriodState.SEALED;
import static palmares.period.PeriodState.SETTLED;

import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bulk.Room;
import palmares.outbox.Outbox;
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
  private final Outbox outbox;
  private final Room room;

  Stages(
      TransactionTemplate transaction,
      Leases leases,
      Transitions transitions,
      Outbox outbox,
      Room room) {
    this.room = room;
    this.transaction = transaction;
    this.leases = leases;
    this.transitions = transitions;
    this.outbox = outbox;
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
          room.take(members(closing));
          work.run();
        });
  }

  /** From paid to settled, and leaves word of it for others. */
  void settle(Closing closing, Runnable work) {
    run(
        closing,
        SETTLED,
        () -> {
          transitions.settle(closing.lease());
          work.run();
          outbox.settled(closing.period());
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

  private static long members(Closing closing) {
    Population sealed = closing.period().population();
    return sealed == null ? 0 : sealed.members();
  }

  private void run(Closing closing, PeriodState to, Runnable work) {
    if (to.isReachedBy(closing.period().state())) {
      return;
    }
    within(closing, work);
  }
}
