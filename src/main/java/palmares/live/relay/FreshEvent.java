package palmares.live.relay;

import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.live.board.Decision;

/** An event that this process has just committed, which the relay need not read to relay it. */
final class FreshEvent {
  private final RelayedEvent event;
  private final long n;
  private volatile @Nullable Decision decision;

  /**
   * @param n its number among the committed events of its period
   */
  FreshEvent(RelayedEvent event, long n) {
    this.event = event;
    this.n = n;
  }

  RelayedEvent event() {
    return event;
  }

  long n() {
    return n;
  }

  /** Notes what the live board decided, once PostgreSQL has stored it with the event. */
  void decide(Decision stored) {
    decision =
        new Decision(
            stored.originalVerdict(),
            stored.change(),
            stored.points(),
            Objects.requireNonNull(event.change().occurredAt()).truncatedTo(ChronoUnit.MICROS),
            null);
  }

  /** Returns the decision; null as long as none is stored, or another process has stored it. */
  @Nullable Decision decision() {
    return decision;
  }
}
