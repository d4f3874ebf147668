package palmares.platform.embedded;

import java.time.Duration;
import java.util.Optional;

/**
 * Waiting for something outside this process, which cannot call back, up to a bound. An interrupt
 * ends a wait early and stays set.
 */
final class Polling {
  private static final long LOOK_EVERY_MILLIS = 20;

  private Polling() {}

  /** The first answer there is, or empty when the bound is over. */
  static <T, X extends Exception> Optional<T> first(Duration bound, Question<T, X> question)
      throws X {
    Optional<T> answer = question.ask();
    long deadline = System.nanoTime() + bound.toNanos();
    while (answer.isEmpty() && System.nanoTime() - deadline < 0 && pause()) {
      answer = question.ask();
    }
    return answer;
  }

  /** Whether it came true in time. */
  static <X extends Exception> boolean await(Duration bound, Condition<X> condition) throws X {
    return first(bound, () -> condition.holds() ? Optional.of(true) : Optional.empty()).isPresent();
  }

  private static boolean pause() {
    try {
      Thread.sleep(LOOK_EVERY_MILLIS);
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
