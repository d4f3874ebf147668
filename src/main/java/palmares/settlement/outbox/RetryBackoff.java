package palmares.settlement.outbox;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** How long a target that fails is left alone: twice as long each time, and never in step. */
@Component
class RetryBackoff {
  private static final int MOST_DOUBLINGS = 30;

  private final OutboxSettings settings;
  private final DoubleSupplier chance;

  @Autowired
  RetryBackoff(OutboxSettings settings) {
    this(settings, () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * @param chance a number from 0 to 1, another one each time
   */
  RetryBackoff(OutboxSettings settings, DoubleSupplier chance) {
    this.settings = settings;
    this.chance = chance;
  }

  /**
   * From half of the full wait to all of it, so that those who failed together come back apart.
   *
   * @param failures how often it has failed in a row; 1 or more
   */
  Duration after(int failures) {
    double doubled = Math.pow(2, Math.min(failures - 1, MOST_DOUBLINGS));
    double full = settings.firstRetry().toMillis() * doubled;
    double capped = Math.min(full, settings.lastRetry().toMillis());
    return Duration.ofMillis(Math.round(capped * (1 + chance.getAsDouble()) / 2));
  }
}
