package palmares.settlement.outbox;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Computes delays between retries, which double with each failure and are jittered. */
@Component
class RetryBackoff {
  private static final int MAX_DOUBLINGS = 30;

  private final OutboxSettings settings;
  private final DoubleSupplier random;

  @Autowired
  RetryBackoff(OutboxSettings settings) {
    this(settings, () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * @param random returns numbers from 0 to 1
   */
  RetryBackoff(OutboxSettings settings, DoubleSupplier random) {
    this.settings = settings;
    this.random = random;
  }

  /**
   * Returns half to all of the full delay, so that targets that failed together retry apart.
   *
   * @param failures how often in a row delivery has failed; 1 or more
   */
  Duration after(int failures) {
    double doubled = Math.pow(2, Math.min(failures - 1, MAX_DOUBLINGS));
    double full = settings.minRetryDelay().toMillis() * doubled;
    double capped = Math.min(full, settings.maxRetryDelay().toMillis());
    return Duration.ofMillis(Math.round(capped * (1 + random.getAsDouble()) / 2));
  }
}
