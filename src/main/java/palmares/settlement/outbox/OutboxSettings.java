package palmares.settlement.outbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configures the delivery of facts.
 *
 * @param background whether this process delivers in the background; schedulers do
 * @param batchSize the most facts in a batch; 1 to 5000
 * @param firstRetry the delay before the first retry; doubles with each further failure
 * @param lastRetry the longest delay between retries
 * @param patience how long a target may fail before it is parked
 * @param keep how long facts are kept that all targets have
 * @param keepAttempts how many attempts of each target are listed; of failed ones as many again; 1
 *     to 100000
 */
@ConfigurationProperties("palmares.outbox")
record OutboxSettings(
    @DefaultValue("false") boolean background,
    @DefaultValue("500") int batchSize,
    @DefaultValue("5s") Duration firstRetry,
    @DefaultValue("1h") Duration lastRetry,
    @DefaultValue("3d") Duration patience,
    @DefaultValue("90d") Duration keep,
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
    if (firstRetry.toMillis() < 100
        || lastRetry.compareTo(firstRetry) < 0
        || patience.compareTo(lastRetry) < 0
        || keep.isNegative()) {
      throw new IllegalArgumentException(
          ("palmares.outbox: first-retry must be 100ms or more, last-retry no shorter, patience no"
                  + " shorter than that, keep 0 or more; they are %s, %s, %s, %s")
              .formatted(firstRetry, lastRetry, patience, keep));
    }
  }
}
