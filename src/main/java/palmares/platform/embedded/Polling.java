package palmares.platform.embedded;

import java.time.Duration;
import java.util.Optional;

/**
 * Polls for something outside this process, up to a timeout. An interrupt ends the polling early
 * and stays set.
 */
final class Polling {
  private static final long INTERVAL_MILLIS = 20;

  private Polling() {}

  /** Returns the first answer, or empty after the timeout. */
  static <T, X extends Exception> Optional<T> first(Duration timeout, Question<T, X> question)
      throws X {
    Optional<T> answer = question.ask();
    long deadline = System.nanoTime() + timeout.toNanos();
    while (answer.isEmpty() && System.nanoTime() - deadline < 0 && pause()) {
      answer = question.ask();
    }
    return answer;
  }

  /** Whether the condition was met before the timeout. */
  static <X extends Exception> boolean await(Duration timeout, Condition<X> condition) throws X {
    return first(timeout, () -> condition.holds() ? Optional.of(true) : Optional.empty())
        .isPresent();
  }

  private static boolean pause() {
    try {
      Thread.sleep(INTERVAL_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @FunctionalInterface
  interface Question<T, X extends Exception> {
    Optional<T> ask() throws X;
  }

  @FunctionalInterface
  interface Condition<X extends Exception> {
    boolean holds() throws X;
  }
}
