package palmares.settlement.closing;

import java.util.Optional;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveBoardCreation;
import palmares.live.board.LiveBoardGone;
import palmares.live.board.LiveBoardUnavailable;
import palmares.live.board.LiveBoards;
import palmares.live.journal.Journal;
import palmares.live.member.Qualifications;
import palmares.live.relay.Relay;
import palmares.live.relay.Relay.RelayStopped;
import palmares.period.DuePeriods;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.Population;
import palmares.platform.Problem;

/** Seals the boards that count events, with all events that have committed. */
@Component
class CountedSeal implements SealStep.Seal {
  private final LiveBoards live;
  private final LiveBoardCreation creation;
  private final LiveBoardMarks marks;
  private final Periods periods;
  private final DuePeriods duePeriods;
  private final Relay relay;
  private final Journal journal;
  private final Qualifications qualifications;

  CountedSeal(
      LiveBoards live,
      LiveBoardCreation creation,
      LiveBoardMarks marks,
      Periods periods,
      DuePeriods duePeriods,
      Relay relay,
      Journal journal,
      Qualifications qualifications) {
    this.live = live;
    this.creation = creation;
    this.marks = marks;
    this.periods = periods;
    this.duePeriods = duePeriods;
    this.relay = relay;
    this.journal = journal;
    this.qualifications = qualifications;
  }

  @Override
  public void restore(Closing closing) {
    live.seal(closing.period());
  }

  /** If board and journal differ, this throws before the seal: the population would be wrong. */
  @Override
  public void prepare(Closing closing) {
    drain(closing);
    relayCommitted(closing); // What is not relayed yet may qualify invites, too.
    if (qualifications.complete(closing.period())) {
      relayCommitted(closing);
    }
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
   * A board that was never marked as created took no event. So if there is no board, and neither
   * the journal nor the relay has an event, the period has no members.
   *
   * @throws LiveBoardGone if there is no board, and there may have been events
   */
  @Override
  public Population seal(Closing closing) {
    Period period = closing.period();
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
