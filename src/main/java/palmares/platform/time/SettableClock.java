package palmares.platform.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until it is moved, or until it is let run from where it stands: for
 * tests and the demo.
 */
public final class SettableClock extends Clock {
  private volatile Reading reading;

  public SettableClock(Instant now) {
    this.reading = new Reading(now, null);
  }

  /** What it showed when it was last touched, and the pace since; none while it stands. */
  private record Reading(Instant time, @Nullable Long sinceNanos) {
    Instant now() {
      return sinceNanos == null ? time : time.plusNanos(System.nanoTime() - sinceNanos);
    }
  }

  public void set(Instant time) {
    reading = new Reading(time, null);
  }

  public synchronized void advance(Duration duration) {
    reading = new Reading(instant().plus(duration), null);
  }

  /** Lets it run at the pace of time from where it stands. */
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
    throw new UnsupportedOperationException("a settable clock is asked for instants only");
  }
}
