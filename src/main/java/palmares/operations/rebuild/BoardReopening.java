package palmares.operations.rebuild;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.AdoptedBoards;
import palmares.live.board.ClosedMarks;
import palmares.live.board.ClosingForgotten;
import palmares.live.board.LiveRebuild;
import palmares.live.journal.Journal;
import palmares.live.journal.MissingEvents;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.period.BoardDefinitions;
import palmares.period.Heartbeat;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Population;
import palmares.period.Transitions;
import palmares.platform.Refusal;

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
  private final ClosedMarks closed;
  private final AdoptedBoards adopted;
  private final BoardDefinitions definitions;

  BoardReopening(
      TransactionTemplate transaction,
      Leases leases,
      Transitions transitions,
      Rebuilds rebuilds,
      LiveRebuild live,
      Journal journal,
      AcknowledgedLosses losses,
      ClosedMarks closed,
      AdoptedBoards adopted,
      BoardDefinitions definitions) {
    this.transaction = transaction;
    this.leases = leases;
    this.transitions = transitions;
    this.rebuilds = rebuilds;
    this.live = live;
    this.journal = journal;
    this.losses = losses;
    this.closed = closed;
    this.adopted = adopted;
    this.definitions = definitions;
  }

  static PeriodState stateAfter(Period period) {
    return period.state().isFilled() || period.state() == PeriodState.OPEN
        ? period.state()
        : PeriodState.SEALED;
  }

  /**
   * Ends a rebuild.
   *
   * @param strays the number of events that only Redis had
   * @return what was given up; null if nothing was
   * @throws Refusal if the board lacks sealed members, points or events, and nobody has
   *     acknowledged that; the board stays halted
   */
  @Nullable GivenUp end(
      Period period,
      Lease lease,
      BoardHalt.Halt halt,
      long strays,
      @Nullable Acknowledgement acknowledged) {
    boolean sealed = period.state() != PeriodState.OPEN;
    GivenUp givenUp =
        halt.loss().events().isNone() ? null : losses.compare(period, halt.loss().events());
    if (sealed) {
      var heartbeat = new Heartbeat(leases, lease);
      journal.drain(period, last -> heartbeat.run());
    }
    Population rebuilt = live.population(period);
    boolean lacks = sealed && losses.find(period, rebuilt, acknowledged).isPresent();
    transaction.executeWithoutResult(
        status -> {
          leases.hold(lease);
          if (!halt.loss().isNone() || lacks) {
            losses.keep(
                lease,
                period,
                rebuilt,
                halt.loss(),
                givenUp,
                Objects.requireNonNull(acknowledged, "refused"));
          }
          if (sealed) {
            transitions.reseal(lease, rebuilt);
          }
          rebuilds.end(lease, halt.events(), strays);
        });
    live.finish(period, lease, stateAfter(period).word());
    if (sealed) {
      closed.mark(period, PeriodState.SEALED);
    }
    return givenUp;
  }

  /**
   * Lets a period go on whose closing PostgreSQL has forgotten: a filled one, or that of an adopted
   * board.
   *
   * @throws ClosingForgotten if nobody has acknowledged that
   */
  void goOn(Period period, Lease lease, @Nullable Acknowledgement acknowledged) {
    var loss = new Loss(MissingEvents.NONE, closed.forgotten(period).orElse(null));
    loss.requireAcknowledged(period, acknowledged, null);
    Acknowledgement consent = Objects.requireNonNull(acknowledged, "refused");
    transaction.executeWithoutResult(
        status -> {
          leases.hold(lease);
          rebuilds.begin(lease);
          losses.keep(lease, period, population(period), loss, null, consent);
          rebuilds.end(lease, 0, 0);
        });
    closed.remove(period);
    if (period.state() != PeriodState.OPEN) {
      closed.mark(period, PeriodState.SEALED);
    }
  }

  /** What a period closes with; of an open one, what Redis has sealed. */
  private Population population(Period period) {
    Population sealed = period.population();
    return sealed == null ? adopted.sealed(period, definitions.of(period)) : sealed;
  }
}
