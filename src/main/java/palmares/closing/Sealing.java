package palmares.closing;

import static palmares.period.PeriodState.SEALED;

import java.util.Optional;
import org.springframework.stereotype.Component;
import palmares.journal.Journal;
import palmares.live.LiveBoardHeld;
import palmares.live.LiveBoards;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.Population;
import palmares.relay.Relay;
import palmares.relay.RelayStopped;

/** The end of all changes: what was committed comes first, then nothing more. */
@Component
class Sealing {
  private final Stages stages;
  private final LiveBoards live;
  private final AdoptedSeals adopted;
  private final Periods periods;
  private final Relay relay;
  private final Journal journal;

  Sealing(
      Stages stages,
      LiveBoards live,
      AdoptedSeals adopted,
      Periods periods,
      Relay relay,
      Journal journal) {
    this.stages = stages;
    this.live = live;
    this.adopted = adopted;
    this.periods = periods;
    this.relay = relay;
    this.journal = journal;
  }

  /** Ends all changes in Redis first, then records it; the mark is made again on every start. */
  void seal(Closing closing) {
    Period period = closing.period();
    boolean sealed = SEALED.isReachedBy(period.state());
    if (closing.board().adoption() != null) {
      if (sealed) {
        adopted.sealAgain(closing);
      } else {
        stages.seal(closing, () -> adopted.seal(closing));
      }
    } else if (sealed) {
      live.seal(period);
    } else {
      bringCommitted(closing);
      stages.seal(closing, () -> freeze(period));
    }
  }

  /** While others may still write; and what Redis has lost since it was relayed, once more. */
  private void bringCommitted(Closing closing) {
    Period period = closing.period();
    if (relay.serves(period.id())) {
      bring(closing);
      relay.again(period.id());
      bring(closing);
    }
  }

  /** As much as the journal may hold at a time, until all is there. */
  private void bring(Closing closing) {
    boolean more = true;
    while (more) {
      journal.drain(closing.period(), () -> stages.renew(closing));
      more = !caughtUp(closing.period());
    }
    journal.drain(closing.period(), () -> stages.renew(closing));
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

  private Population freeze(Period period) {
    Periods.LiveMark mark = periods.lock(period.id());
    relay.finish(period);
    Optional<Population> held = live.seal(period);
    if (held.isEmpty() && mark.live()) {
      throw LiveBoardLost.ours(period);
    }
    return held.orElse(Population.NOBODY);
  }
}
