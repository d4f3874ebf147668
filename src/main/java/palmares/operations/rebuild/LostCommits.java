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
 * Committed events that Redis had, and lost before the journal had them: they are relayed again, so
 * that nothing of a committed board is ever missing.
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

  /** Whether the journal may lack events that PostgreSQL has all the same. */
  boolean concern(Period period) {
    return relay.hasEvents(period.id());
  }

  /**
   * Lets them wait again, while the board is halted: whatever was committed after them stays behind
   * them. Those of a sealed period are brought to the halted board at once, since nobody else may.
   */
  void await(Period period, Lease lease) {
    if (concern(period)) {
      relay.markMissing(period.id());
      if (period.state() != PeriodState.OPEN) {
        relay.relayTo(period, changes -> live.decide(lease, changes));
      }
    }
  }

  /** Relays them to an open board; where that cannot be now, it is done later. */
  void relay(Period period) {
    if (period.state() == PeriodState.OPEN && concern(period)) {
      attempts.relayNow(List.of(period.id()));
    }
  }
}
