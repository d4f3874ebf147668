package palmares.operations.rebuild;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveRebuild;
import palmares.live.journal.Journal;
import palmares.period.Heartbeat;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Population;
import palmares.period.Transitions;
import palmares.settlement.lines.Shortfall;

/**
 * Lets everybody to a board that was rebuilt. A period that was sealed closes with the population
 * of the new board; the figures of the seal stay.
 */
@Component
class BoardReopening {
  private final TransactionTemplate transaction;
  private final Leases leases;
  private final Transitions transitions;
  private final Rebuilds rebuilds;
  private final LiveRebuild live;
  private final Journal journal;
  private final AcknowledgedLosses losses;

  BoardReopening(
      TransactionTemplate transaction,
      Leases leases,
      Transitions transitions,
      Rebuilds rebuilds,
      LiveRebuild live,
      Journal journal,
      AcknowledgedLosses losses) {
    this.transaction = transaction;
    this.leases = leases;
    this.transitions = transitions;
    this.rebuilds = rebuilds;
    this.live = live;
    this.journal = journal;
    this.losses = losses;
  }

  static PeriodState stateAfter(Period period) {
    return period.state() == PeriodState.OPEN ? PeriodState.OPEN : PeriodState.SEALED;
  }

  /**
   * Ends a rebuild.
   *
   * @throws LossRefused if the board falls short of the one that was sealed, and nobody has
   *     acknowledged that; it stays halted
   */
  void end(
      Period period,
      Lease lease,
      long events,
      long strays,
      @Nullable Acknowledgement acknowledged) {
    Runnable reseal =
        period.state() == PeriodState.OPEN ? () -> {} : reseal(period, lease, acknowledged);
    transaction.executeWithoutResult(
        status -> {
          leases.hold(lease);
          reseal.run();
          rebuilds.end(lease, events, strays);
        });
    live.finish(period, lease, stateAfter(period).word());
  }

  /**
   * Compares the board with the one that was sealed; answers what makes the period sealed again.
   */
  private Runnable reseal(Period period, Lease lease, @Nullable Acknowledgement acknowledged) {
    journal.drain(period, new Heartbeat(leases, lease));
    Population rebuilt = live.population(period);
    Optional<Shortfall> lacks = losses.find(period, rebuilt, acknowledged);
    return () -> {
      lacks.ifPresent(
          found -> losses.keep(lease, found, Objects.requireNonNull(acknowledged, "refused")));
      transitions.reseal(lease, rebuilt);
    };
  }
}
