package palmares.cli;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import palmares.cli.terminal.Complaint;

/** Tries again what another process is in the way of, for a while. */
final class Waiting {
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private Waiting() {}

  /** What the last attempt came to: the first that will do, or whatever it was in the end. */
  static <T> T until(Duration patience, Supplier<T> attempt, Predicate<T> willDo) {
    T result = attempt.get();
    long start = System.nanoTime(); // The first attempt may itself be an hour of work.
    while (!willDo.test(result) && Spoken.since(start).compareTo(patience) < 0) {
      pause();
      result = attempt.get();
    }
    return result;
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Complaint.failed("interrupted while waiting for another process");
    }
  }
}
