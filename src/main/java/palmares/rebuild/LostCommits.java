package palmares.rebuild;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.journal.Journal;
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
  private final Journal journal;

  LostCommits(Relay relay, RelayAttempts attempts, Journal journal) {
    this.relay = relay;
    this.attempts = attempts;
    this.journal = journal;
  }

  /** Relays them; where that cannot be now, it is done later. A sealed period has them all. */
  void relay(Period period) {
    if (period.state() == PeriodState.OPEN && relay.serves(period.id())) {
      journal.drain(period);
      relay.again(period.id());
      attempts.now(List.of(period.id()));
    }
  }
}
