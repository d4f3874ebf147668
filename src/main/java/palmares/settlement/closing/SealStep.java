package palmares.settlement.closing;

import java.util.Optional;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveBoardCreation;
import palmares.live.board.LiveBoardGone;
import palmares.live.board.LiveBoardHeld;
import palmares.live.board.LiveBoards;
import palmares.live.journal.Journal;
import palmares.live.relay.Relay;
import palmares.live.relay.RelayStopped;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.Population;

/** The end of all changes: what was committed comes first, then nothing more. */
@Component
class SealStep {
  private final StateSteps stateSteps;
  private final LiveBoards live;
  private final AdoptedSeals adopted;
  private final LiveBoardCreation starts;
  private final LiveBoardMarks marks;
  private final Periods periods;
  private final Relay relay;
  private final Journal journal;

  SealStep(
      StateSteps stateSteps,
      LiveBoards live,
      AdoptedSeals adopted,
      LiveBoardCreation starts,
      LiveBoardMarks marks,
      Periods periods,
      Relay relay,
      Journal journal) {
    this.stateSteps = stateSteps;
    this.live = live;
    this.adopted = adopted;
    this.starts = starts;
    this.marks = marks;
    this.periods = periods;
    this.relay = relay;
    this.journal = journal;
  }

  /** Ends all changes in Redis first, then records it; the mark is made again on every start. */
  void seal(Closing closing) {
    Period period = closing.period();
    boolean sealed = period.state().isSealed();
    if (closing.board().adoption() != null) {
      if (sealed) {
        adopted.sealAgain(closing);
      } else {
        adopted.look(closing);
        stateSteps.seal(closing, () -> adopted.seal(closing));
      }
    } else if (sealed) {
      live.seal(period);
    } else {
      // A board that differs from its journal is not sealed: its figures would be wrong.
      journal.drain(period, () -> stateSteps.renew(closing));
      bringCommitted(closing);
      stateSteps.seal(closing, () -> freeze(period));
    }
  }

  /** While others may still write; and what Redis has lost since it was relayed, once more. */
  private void bringCommitted(Closing closing) {
    Period period = closing.period();
    if (relay.hasEvents(period.id())) {
      start(closing);
      bring(closing);
      relay.markMissing(period.id());
      bring(closing);
    }
  }

  private void start(Closing closing) {
    try {
      starts.start(closing.period(), closing.board());
    } catch (LiveBoardGone e) {
      throw LiveBoardLost.ours(closing.period());
    }
  }

  /** As much as the journal may hold at a time, until all is there. */
  private void bring(Closing closing) {
    boolean more = true;
    while (more) {
      journal.drain(closing.period(), () -> stateSteps.renew(closing));
      more = !caughtUp(closing.period());
    }
    journal.drain(closing.period(), () -> stateSteps.renew(closing));
  }

  private boolean caughtUp(Period period) {
    try {
      relay.relay(period.id());
      return true;
    } catch (RelayStopped sealed) {
      // By a seal that never committed, which is lifted under the lock.
      return true;
    } catch (LiveBoardHeld held) {
      if (held.why() == LiveBoardHeld.Why.BACKLOG) {
        return false;
      }
      throw held;
    }
  }

  /**
   * A board that was never marked as made never took an event. So where there is none, and neither
   * the journal nor the relay ever had one, nobody stood on it.
   *
   * @throws LiveBoardLost if there may have been events, and there is no board
   */
  private Population freeze(Period period) {
    Periods.LiveMark mark = periods.lock(period.id());
    relay.finish(period);
    long position = journal.position(period.id());
    Optional<Population> held = live.seal(period);
    if (held.isPresent()) {
      marks.markCreated(period.id());
    } else if (mark.live() || journal.position(period.id()) > 0 || relay.hasEvents(period.id())) {
      throw LiveBoardLost.ours(period);
    }
    held.ifPresent(found -> Journal.requireNotBehind(period, position, found.events()));
    return held.orElse(Population.EMPTY);
  }
}
