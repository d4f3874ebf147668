package palmares.platform.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A clock for tests, the demo and sandboxes, which is stopped until it is set, advanced or started.
 */
public final class SettableClock extends Clock {
  private volatile Reading reading;

  public SettableClock(Instant now) {
    this.reading = new Reading(now, null);
  }

  /**
   * @param time when the clock was last set
   * @param sinceNanos when it was started, by the monotonic clock; null while it is stopped
   */
  private record Reading(Instant time, @Nullable Long sinceNanos) {
    Instant now() {
      return sinceNanos == null ? time : time.plusNanos(System.nanoTime() - sinceNanos);
    }
  }

  /** The time of a clock that can be set, which Redis does not have; empty for any other clock. */
  public static Optional<Instant> movedTime(Clock clock) {
    return clock instanceof SettableClock ? Optional.of(clock.instant()) : Optional.empty();
  }

  public void set(Instant time) {
    reading = new Reading(time, null);
  }

  public synchronized void advance(Duration duration) {
    reading = new Reading(instant().plus(duration), null);
  }

  /** Starts the clock from its present time. */
  public synchronized void run() {
    reading = new Reading(instant(), System.nanoTime());
  }

  @Override
  public Instant instant() {
    return reading.now();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("this clock provides instants only");
  }
}
