package palmares.live.relay;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.live.board.BoardChange;
import palmares.period.PeriodId;

/**
 * An event that is committed first and relayed to the live board of one period afterwards.
 *
 * @param change must state its time, which does not depend on when it is relayed
 * @param before it belongs to a later period if it is not committed before this time; null if its
 *     period takes it until the grace is over
 */
public record RelayedEvent(PeriodId period, BoardChange change, @Nullable Instant before) {
  /**
   * @throws IllegalArgumentException if the change states no time
   */
  public RelayedEvent {
    if (change.occurredAt() == null) {
      throw new IllegalArgumentException(
          "the event %s states no time, and may be relayed later".formatted(change.id()));
    }
  }

  /** Whether it belongs to its period if it is committed now. */
  boolean isTimely(Instant now) {
    return before == null || now.isBefore(before);
  }

  /** An event that its period takes until the grace is over. */
  public RelayedEvent(PeriodId period, BoardChange change) {
    this(period, change, null);
  }
}
