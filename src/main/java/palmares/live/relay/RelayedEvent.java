package palmares.live.relay;

import palmares.live.board.BoardChange;
import palmares.period.PeriodId;

/**
 * An event on its way to one period.
 *
 * @param change with the time that it counts by, whenever it is brought to its live board
 */
public record RelayedEvent(PeriodId period, BoardChange change) {
  /**
   * @throws IllegalArgumentException if the change has no time of its own
   */
  public RelayedEvent {
    if (change.occurredAt() == null) {
      throw new IllegalArgumentException(
          "the event %s needs a time that it counts by, since it may be relayed later"
              .formatted(change.id()));
    }
  }
}
