package palmares.operations.rebuild;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveRebuild;
import palmares.live.journal.Journal;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.period.Heartbeat;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Population;
import palmares.period.Transitions;
import palmares.platform.Refusal;
import palmares.settlement.lines.Shortfall;

/**
 * Reopens a rebuilt board. A sealed period then closes with the population of the rebuilt board;
 * the sealed figures are kept.
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
   * @param strays the number of events that only Redis had
   * @throws Refusal if the board lacks sealed members, points or events, and nobody has
   *     acknowledged that; the board stays halted
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

  /** Compares the board with the sealed one; the result seals the period again when it is run. */
  private Runnable reseal(Period period, Lease lease, @Nullable Acknowledgement acknowledged) {
    var heartbeat = new Heartbeat(leases, lease);
    journal.drain(period, last -> heartbeat.run());
    Population rebuilt = live.population(period);
    Optional<Shortfall> lacks = losses.find(period, rebuilt, acknowledged);
    return () -> {
      lacks.ifPresent(
          found -> losses.keep(lease, found, Objects.requireNonNull(acknowledged, "refused")));
      transitions.reseal(lease, rebuilt);
    };
  }
}
