package palmares.closing;

import static palmares.period.PeriodState.SEALED;

import org.springframework.stereotype.Component;
import palmares.journal.Journal;
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
  private final Periods periods;
  private final Relay relay;
  private final Journal journal;

  Sealing(Stages stages, LiveBoards live, Periods periods, Relay relay, Journal journal) {
    this.stages = stages;
    this.live = live;
    this.periods = periods;
    this.relay = relay;
    this.journal = journal;
  }

  /** Ends all changes in Redis first, then records it; the mark is made again on every start. */
  void seal(Closing closing) {
    Period period = closing.period();
    if (SEALED.isReachedBy(period.state())) {
      live.seal(period);
      return;
    }
    bringCommitted(closing);
    stages.seal(
        closing,
        () -> {
          Periods.LiveMark mark = periods.lock(period.id());
          relay.finish(period);
          return freeze(period, mark);
        });
  }

  /** While others may still write; and what Redis has lost since it was relayed, once more. */
  private void bringCommitted(Closing closing) {
    Period period = closing.period();
    if (relay.serves(period.id())) {
      catchUp(period);
      journal.drain(period, () -> stages.renew(closing));
      relay.again(period.id());
      catchUp(period);
    }
  }

  private void catchUp(Period period) {
    try {
      relay.relay(period.id());
    } catch (RelayStopped sealed) {
      // By a seal that never committed, which is lifted under the lock.
      return;
    }
  }

  private Population freeze(Period period, Periods.LiveMark mark) {
    return live.seal(period)
        .orElseGet(
            () -> {
              if (mark.live()) {
                throw new LiveBoardLost(period);
              }
              return new Population(0, 0, 0);
            });
  }
}
