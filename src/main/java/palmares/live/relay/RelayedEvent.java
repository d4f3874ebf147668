package palmares.live.relay;

import palmares.live.board.BoardChange;
import palmares.period.PeriodId;

/**
 * An event that is committed first and relayed to the live board of one period afterwards.
 *
 * @param change must state its time, which does not depend on when it is relayed
 */
public record RelayedEvent(PeriodId period, BoardChange change) {
  /**
   * @throws IllegalArgumentException if the change states no time
   */
  public RelayedEvent {
    if (change.occurredAt() == null) {
      throw new IllegalArgumentException(
          "the event %s states no time, and may be relayed later".formatted(change.id()));
    }
  }
}
