package palmares.settlement.closing;

import java.util.Optional;
import org.springframework.stereotype.Component;
import palmares.live.board.ClosedMarks;
import palmares.live.board.LiveBoardCreation;
import palmares.live.board.LiveBoardGone;
import palmares.live.board.LiveBoardUnavailable;
import palmares.live.board.LiveBoards;
import palmares.live.journal.Journal;
import palmares.live.relay.Relay;
import palmares.live.relay.Relay.RelayStopped;
import palmares.period.DuePeriods;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.period.Population;
import palmares.period.Transitions;
import palmares.platform.Problem;
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
  private final Transitions transitions;
  private final LiveBoards live;
  private final ClosedMarks closed;
  private final AdoptedSeal adopted;
  private final LiveBoardCreation creation;
  private final LiveBoardMarks marks;
  private final Periods periods;
  private final DuePeriods duePeriods;
  private final Relay relay;
  private final Journal journal;
  private final Outbox outbox;

  SealStep(
      LeasedTransaction transaction,
      Transitions transitions,
      LiveBoards live,
      ClosedMarks closed,
      AdoptedSeal adopted,
      LiveBoardCreation creation,
      LiveBoardMarks marks,
      Periods periods,
      DuePeriods duePeriods,
      Relay relay,
      Journal journal,
      Outbox outbox) {
    this.transaction = transaction;
    this.transitions = transitions;
    this.live = live;
    this.closed = closed;
    this.adopted = adopted;
    this.creation = creation;
    this.marks = marks;
    this.periods = periods;
    this.duePeriods = duePeriods;
    this.relay = relay;
    this.journal = journal;
    this.outbox = outbox;
  }

  @Override
  public boolean run(Closing closing) {
    closed.requireNoneForgotten(closing.period());
    boolean sealed = closing.period().state().isSealed();
    closing
        .board()
        .kind()
        .run(() -> sealCounted(closing, sealed), adoption -> sealAdopted(closing, sealed));
    closed.mark(closing.period(), PeriodState.SEALED);
    return true;
  }

  private void sealCounted(Closing closing, boolean sealed) {
    if (sealed) {
      live.seal(closing.period()); // Redis may have lost the mark since.
    } else {
      // If board and journal differ, this throws before the seal: the population would be wrong.
      drain(closing);
      relayCommitted(closing);
      transaction.change(closing, () -> record(closing, freeze(closing.period())));
    }
  }

  private void sealAdopted(Closing closing, boolean sealed) {
    if (sealed) {
      adopted.restore(closing);
    } else {
      adopted.observe(closing);
      transaction.change(closing, () -> record(closing, adopted.seal(closing)));
    }
  }

  private Period record(Closing closing, Population population) {
    Period sealed = transitions.seal(closing.lease(), population);
    closing.progress().step().expect("members", population.members());
    closing.progress().step().reach(population.members());
    closing.progress().endStep();
    outbox.sealed(closing.period(), population);
    return sealed;
  }

  private void drain(Closing closing) {
    closing.progress().step().expect("events", null);
    journal.drain(closing.period(), closing.drained());
  }

  /** Applies committed events while writers may go on, and again those that Redis has lost. */
  private void relayCommitted(Closing closing) {
    Period period = closing.period();
    if (relay.hasEvents(period.id())) {
      creation.start(period, closing.board());
      relayAll(closing);
      relay.markMissing(period.id());
      relayAll(closing);
    }
  }

  /** Drains in between, since the journal in Redis has a limit. */
  private void relayAll(Closing closing) {
    do {
      drain(closing);
    } while (!relayBatch(closing.period()));
    drain(closing);
  }

  /** Returns whether all committed events are relayed. */
  private boolean relayBatch(Period period) {
    try {
      relay.relay(period.id());
      return true;
    } catch (RelayStopped sealed) {
      // An attempt that died has sealed the board. Its seal is lifted under the lock.
      return true;
    } catch (LiveBoardUnavailable held) {
      if (held.problem() == Problem.BACKLOG) {
        return false;
      }
      throw held;
    }
  }

  /**
   * Seals the board in Redis and returns its population.
   *
   * <p>A board that was never marked as created took no event. So if there is no board, and neither
   * the journal nor the relay has an event, the period has no members.
   *
   * @throws LiveBoardGone if there is no board, and there may have been events
   */
  private Population freeze(Period period) {
    Periods.LiveMark mark = periods.lockToSeal(period.id());
    duePeriods.requireNotFilled(period);
    relay.finish(period);
    long position = journal.position(period.id());
    Optional<Population> population = live.seal(period);
    if (population.isPresent() && !mark.live()) {
      marks.markCreated(period.id());
    } else if (population.isEmpty()
        && (mark.live() || journal.position(period.id()) > 0 || relay.hasEvents(period.id()))) {
      throw LiveBoardGone.counted(period);
    }
    population.ifPresent(found -> Journal.requireNotBehind(period, position, found.events()));
    return population.orElse(Population.EMPTY);
  }
}
