package palmares.rebuild;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.relay.Relay;
import palmares.relay.RelayAttempts;

/**
 * Committed events that Redis had, and lost before the journal had them: they are relayed again, so
 * that nothing of a committed board is ever missing.
 */
@Component
class LostCommits {
  private final Relay relay;
  private final RelayAttempts attempts;

  LostCommits(Relay relay, RelayAttempts attempts) {
    this.relay = relay;
    this.attempts = attempts;
  }

  /**
   * Lets them wait again, while the board is halted: whatever was committed after them stays behind
   * them. A sealed period has them all.
   */
  void await(Period period) {
    if (concerns(period)) {
      relay.again(period.id());
    }
  }

  /** Relays them; where that cannot be now, it is done later. */
  void relay(Period period) {
    if (concerns(period)) {
      attempts.now(List.of(period.id()));
    }
  }

  private boolean concerns(Period period) {
    return period.state() == PeriodState.OPEN && relay.serves(period.id());
  }
}
