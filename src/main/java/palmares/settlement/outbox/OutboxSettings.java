package palmares.settlement.outbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configures the delivery of facts.
 *
 * @param background whether this process delivers in the background; schedulers do
 * @param batchSize the most facts in a batch; 1 to 5000
 * @param minRetryDelay the delay before the first retry; doubles with each further failure
 * @param maxRetryDelay the longest delay between retries
 * @param parkAfter how long a target may fail before it is parked
 * @param retention how long facts are kept that all targets have; those about ranks at most 7 days
 * @param keepAttempts how many attempts of each target are listed; of failed ones as many again; 1
 *     to 100000
 */
@ConfigurationProperties("palmares.outbox")
record OutboxSettings(
    @DefaultValue("false") boolean background,
    @DefaultValue("500") int batchSize,
    @DefaultValue("5s") Duration minRetryDelay,
    @DefaultValue("1h") Duration maxRetryDelay,
    @DefaultValue("3d") Duration parkAfter,
    @DefaultValue("90d") Duration retention,
    @DefaultValue("1000") int keepAttempts) {

  OutboxSettings {
    if (batchSize < 1 || batchSize > 5_000) {
      throw new IllegalArgumentException(
          "palmares.outbox.batch-size is %d, and must be 1 to 5000".formatted(batchSize));
    }
    if (keepAttempts < 1 || keepAttempts > 100_000) {
      throw new IllegalArgumentException(
          "palmares.outbox.keep-attempts is %d, and must be 1 to 100000".formatted(keepAttempts));
    }
    if (minRetryDelay.toMillis() < 100
        || maxRetryDelay.compareTo(minRetryDelay) < 0
        || parkAfter.compareTo(maxRetryDelay) < 0
        || retention.isNegative()) {
      throw new IllegalArgumentException(
          ("palmares.outbox: min-retry-delay must be 100ms or more, max-retry-delay no shorter,"
                  + " park-after no shorter than that, retention 0 or more; they are %s, %s, %s,"
                  + " %s")
              .formatted(minRetryDelay, maxRetryDelay, parkAfter, retention));
    }
  }
}
