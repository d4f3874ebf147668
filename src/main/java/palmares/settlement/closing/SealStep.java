package palmares.settlement.closing;

import org.springframework.stereotype.Component;
import palmares.live.board.ClosedMarks;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Population;
import palmares.period.Transitions;
import palmares.settlement.outbox.Outbox;

/**
 * Ends all changes of a live board, and fixes its population.
 *
 * <p>Before: the period is open and over; its board may still take late writes. After: Redis
 * refuses every change of the board, committed events are on it, and the period is sealed with its
 * population, which a mark in Redis says. Redis is sealed first, then PostgreSQL commits. If the
 * process dies between the two, the board is sealed but the period is open; the next attempt lifts
 * that seal under the lock, or makes it again.
 */
@Component
class SealStep implements ClosingStep {
  private final LeasedTransaction transaction;
  private final ClosedMarks closed;
  private final AdoptedSeal adopted;
  private final CountedSeal counted;
  private final Outbox outbox;

  SealStep(
      LeasedTransaction transaction,
      ClosedMarks closed,
      AdoptedSeal adopted,
      CountedSeal counted,
      Outbox outbox) {
    this.transaction = transaction;
    this.closed = closed;
    this.adopted = adopted;
    this.counted = counted;
    this.outbox = outbox;
  }

  @Override
  public boolean run(Closing closing) {
    closed.requireNoneForgotten(closing.period());
    Seal seal = closing.board().kind().map(() -> counted, adoption -> adopted);
    if (closing.period().state().isSealed()) {
      seal.restore(closing);
    } else {
      seal.prepare(closing);
      transaction.change(closing, transitions -> record(closing, transitions, seal.seal(closing)));
    }
    closed.mark(closing.period(), PeriodState.SEALED);
    return true;
  }

  private Period record(Closing closing, Transitions transitions, Population population) {
    Period sealed = transitions.seal(closing.lease(), population);
    closing.progress().step().expect("members", population.members());
    closing.progress().step().reach(population.members());
    outbox.sealed(closing.period(), population);
    return sealed;
  }

  /** Seals the boards of one kind. */
  interface Seal {
    /** Completes and records what the board has, as long as its seal can still fail. */
    void prepare(Closing closing);

    /** Seals the board in the transaction that seals its period; returns its population. */
    Population seal(Closing closing);

    /** Seals the board of a sealed period again: Redis may have lost the mark. */
    void restore(Closing closing);
  }
}
