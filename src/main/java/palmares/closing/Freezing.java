package palmares.closing;

import static palmares.period.PeriodState.RECONCILED;
import static palmares.period.PeriodState.SEALED;
import static palmares.period.PeriodState.SNAPSHOTTED;

import java.util.Objects;
import org.springframework.stereotype.Component;
import palmares.journal.Journal;
import palmares.journal.Quarantine;
import palmares.live.LiveBoards;
import palmares.period.Period;
import palmares.standing.Reconciliation;
import palmares.standing.Snapshots;

/** The first half of a closing: from a sealed live board to a proved snapshot. */
@Component
class Freezing {
  private final Stages stages;
  private final LiveBoards live;
  private final Journal journal;
  private final Quarantine quarantine;
  private final Snapshots snapshots;
  private final Reconciliation reconciliation;
  private final LateWrites lateWrites;

  Freezing(
      Stages stages,
      LiveBoards live,
      Journal journal,
      Quarantine quarantine,
      Snapshots snapshots,
      Reconciliation reconciliation,
      LateWrites lateWrites) {
    this.stages = stages;
    this.live = live;
    this.journal = journal;
    this.quarantine = quarantine;
    this.snapshots = snapshots;
    this.reconciliation = reconciliation;
    this.lateWrites = lateWrites;
  }

  /** An adopted board has no journal. */
  void drain(Closing closing) {
    if (closing.board().adoption() == null && !SNAPSHOTTED.isReachedBy(closing.period().state())) {
      journal.drain(closing.period(), () -> stages.renew(closing));
      quarantine.requireNone(closing.period());
    }
  }

  void snapshot(Closing closing) {
    if (SNAPSHOTTED.isReachedBy(closing.period().state())) {
      return;
    }
    if (closing.board().adoption() == null) {
      requireThere(closing.period());
    }
    snapshots.take(closing.lease(), closing.period(), closing.board(), () -> stages.renew(closing));
    stages.advance(closing, SEALED, SNAPSHOTTED, () -> snapshots.finish(closing.period().id()));
  }

  private void requireThere(Period period) {
    long members = Objects.requireNonNull(period.population(), "sealed").members();
    if (members > 0 && !live.exists(period)) {
      throw LiveBoardLost.ours(period);
    }
  }

  void reconcile(Closing closing) {
    lateWrites.look(closing);
    stages.advance(
        closing,
        SNAPSHOTTED,
        RECONCILED,
        () -> reconciliation.check(closing.period(), closing.board()));
  }
}
