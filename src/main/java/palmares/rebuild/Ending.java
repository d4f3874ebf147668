package palmares.rebuild;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.LiveRebuild;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Transitions;
import palmares.standing.Snapshots;

/**
 * Lets everybody to a board that was made anew. A period that was sealed goes on from there: its
 * population is that of the new board, and what was copied of the old one is dropped.
 */
@Component
class Ending {
  private final TransactionTemplate transaction;
  private final Leases leases;
  private final Transitions transitions;
  private final Snapshots snapshots;
  private final Rebuilds rebuilds;
  private final LiveRebuild live;

  Ending(
      TransactionTemplate transaction,
      Leases leases,
      Transitions transitions,
      Snapshots snapshots,
      Rebuilds rebuilds,
      LiveRebuild live) {
    this.transaction = transaction;
    this.leases = leases;
    this.transitions = transitions;
    this.snapshots = snapshots;
    this.rebuilds = rebuilds;
    this.live = live;
  }

  static PeriodState stateAfter(Period period) {
    return period.state() == PeriodState.OPEN ? PeriodState.OPEN : PeriodState.SEALED;
  }

  void end(Period period, Lease lease, long events, long strays) {
    transaction.executeWithoutResult(
        status -> {
          leases.hold(lease);
          if (period.state() != PeriodState.OPEN) {
            snapshots.drop(period.id());
            transitions.reseal(lease, live.population(period));
          }
          rebuilds.end(lease, events, strays);
        });
    live.finish(period, lease, stateAfter(period).word());
  }
}
