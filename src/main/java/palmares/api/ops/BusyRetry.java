package palmares.api.ops;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Retries an attempt that another process blocks, until a timeout.
 *
 * @param timeout measured from the end of the first attempt, which may itself take an hour
 * @param nanos the clock
 * @param pause passes between two attempts
 */
record BusyRetry(Duration timeout, LongSupplier nanos, Runnable pause) {
  private static final long PAUSE_SECONDS = 2;

  BusyRetry(Duration timeout) {
    this(timeout, System::nanoTime, BusyRetry::sleep);
  }

  /** The first result that is done, or the last one if none is within the timeout. */
  <T> T until(Predicate<T> isDone, Supplier<T> attempt) {
    T result = attempt.get();
    long start = nanos.getAsLong();
    while (!isDone.test(result) && nanos.getAsLong() - start < timeout.toNanos()) {
      pause.run();
      result = attempt.get();
    }
    return result;
  }

  private static void sleep() {
    try {
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for another process", e);
    }
  }
}
