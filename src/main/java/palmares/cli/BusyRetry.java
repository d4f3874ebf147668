package palmares.cli;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import palmares.cli.terminal.UserError;

/**
 * Tries again what another process is in the way of, for a while.
 *
 * @param nanos counts the time
 * @param pause passes between two attempts
 */
record BusyRetry(Duration patience, LongSupplier nanos, Runnable pause) {
  private static final long PAUSE_SECONDS = 2;

  BusyRetry(Duration patience) {
    this(patience, System::nanoTime, BusyRetry::sleep);
  }

  /** What the last attempt came to: the first that will do, or whatever it was in the end. */
  <T> T until(Predicate<T> willDo, Supplier<T> attempt) {
    T result = attempt.get();
    long start = nanos.getAsLong(); // The first attempt may itself be an hour of work.
    while (!willDo.test(result) && nanos.getAsLong() - start < patience.toNanos()) {
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
      throw UserError.failed("interrupted while waiting for another process");
    }
  }
}
