package palmares.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often and when a request is sent again that got no answer, or one that asks for a repeat.
 *
 * @param attempts how often it is sent at most; 1 for no retry
 * @param firstDelay the delay before the first retry; doubles with each further one
 * @param maxDelay the longest delay, unless the server asks for a longer one
 */
public record RetryPolicy(int attempts, Duration firstDelay, Duration maxDelay) {
  /** Eight attempts within about half a minute. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(8, Duration.ofMillis(200), Duration.ofSeconds(10));

  /** One attempt. */
  public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, Duration.ZERO);

  /**
   * @throws IllegalArgumentException if attempts are fewer than 1 or a delay is negative
   */
  public RetryPolicy {
    if (attempts < 1 || firstDelay.isNegative() || maxDelay.isNegative()) {
      throw new IllegalArgumentException(
          "%d attempts, %s and %s: at least 1 attempt and no negative delay is needed"
              .formatted(attempts, firstDelay, maxDelay));
    }
  }

  /**
   * Returns the delay after a failed attempt: at random from half to all of it, so that clients
   * that failed together do not come back together.
   *
   * @param failed how many attempts have failed, from 1
   */
  public Duration delay(int failed) {
    double whole =
        Math.min(maxDelay.toNanos(), firstDelay.toNanos() * Math.pow(2, Math.max(0, failed - 1)));
    return Duration.ofNanos((long) (whole * (0.5 + ThreadLocalRandom.current().nextDouble() / 2)));
  }

  /** Pauses a thread; tests replace it. */
  interface Pause {
    void of(Duration duration) throws InterruptedException;
  }
}
