package palmares.operations.rebuild;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.live.board.LiveRebuild;
import palmares.live.relay.Relay;
import palmares.live.relay.RelayAttempts;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.PeriodState;

/**
 * Relays committed events again that Redis lost before they were in the journal, so that a
 * committed board loses none.
 */
@Component
class LostCommits {
  private final Relay relay;
  private final RelayAttempts attempts;
  private final LiveRebuild live;

  LostCommits(Relay relay, RelayAttempts attempts, LiveRebuild live) {
    this.relay = relay;
    this.attempts = attempts;
    this.live = live;
  }

  /** Whether the period may have committed events that its journal lacks. */
  boolean mayExist(Period period) {
    return relay.hasEvents(period.id());
  }

  /**
   * Puts the events back into the relay's queue while the board is halted, ahead of those committed
   * later. Those of a sealed period are applied to the halted board at once, since it takes no
   * other events.
   */
  void requeue(Period period, Lease lease) {
    if (mayExist(period)) {
      relay.markMissing(period.id());
      if (period.state() != PeriodState.OPEN) {
        relay.relayTo(period, changes -> live.decide(lease, changes));
      }
    }
  }

  /** Relays the events to an open board; if that fails now, the relay retries. */
  void relay(Period period) {
    if (period.state() == PeriodState.OPEN && mayExist(period)) {
      attempts.relayNow(List.of(period.id()));
    }
  }
}
