package palmares.closing;

import static palmares.period.PeriodState.RECONCILED;
import static palmares.period.PeriodState.SEALED;
import static palmares.period.PeriodState.SNAPSHOTTED;

import org.springframework.stereotype.Component;
import palmares.journal.Journal;
import palmares.live.LiveBoards;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.Population;
import palmares.standing.Reconciliation;
import palmares.standing.Snapshots;

/** The first half of a closing: from a live board to a proved snapshot. */
@Component
class Freezing {
  private final Stages stages;
  private final LiveBoards live;
  private final Periods periods;
  private final Journal journal;
  private final Snapshots snapshots;
  private final Reconciliation reconciliation;

  Freezing(
      Stages stages,
      LiveBoards live,
      Periods periods,
      Journal journal,
      Snapshots snapshots,
      Reconciliation reconciliation) {
    this.stages = stages;
    this.live = live;
    this.periods = periods;
    this.journal = journal;
    this.snapshots = snapshots;
    this.reconciliation = reconciliation;
  }

  /** Ends all changes in Redis first, then records it; the mark is made again on every start. */
  void seal(Closing closing) {
    Period period = closing.period();
    if (SEALED.isReachedBy(period.state())) {
      live.seal(period);
      return;
    }
    stages.seal(closing, () -> freeze(period, periods.lock(period.id())));
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

  void drain(Closing closing) {
    if (!SNAPSHOTTED.isReachedBy(closing.period().state())) {
      journal.drain(closing.period(), () -> stages.renew(closing));
    }
  }

  void snapshot(Closing closing) {
    if (SNAPSHOTTED.isReachedBy(closing.period().state())) {
      return;
    }
    snapshots.take(closing.lease(), closing.period(), closing.board());
    stages.advance(closing, SEALED, SNAPSHOTTED, () -> {});
  }

  void reconcile(Closing closing) {
    stages.advance(
        closing,
        SNAPSHOTTED,
        RECONCILED,
        () -> reconciliation.check(closing.period(), closing.board()));
  }
}
