package palmares.settlement.outbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How facts are delivered.
 *
 * @param background whether this process delivers all the time; a scheduler does
 * @param batchSize how many facts are sent together at the most; 1 to 5000
 * @param firstRetry how long a target is left alone after its first failure; doubles with each
 *     further one
 * @param lastRetry how long at the most
 * @param patience since when a target must have failed for nobody to try any more
 * @param keep how long facts are kept that everybody has
 */
@ConfigurationProperties("palmares.outbox")
record OutboxSettings(
    @DefaultValue("false") boolean background,
    @DefaultValue("500") int batchSize,
    @DefaultValue("5s") Duration firstRetry,
    @DefaultValue("1h") Duration lastRetry,
    @DefaultValue("3d") Duration patience,
    @DefaultValue("90d") Duration keep) {

  OutboxSettings {
    if (batchSize < 1 || batchSize > 5_000) {
      throw new IllegalArgumentException(
          "palmares.outbox.batch-size is %d, and must be 1 to 5000".formatted(batchSize));
    }
    if (firstRetry.toMillis() < 100
        || lastRetry.compareTo(firstRetry) < 0
        || patience.compareTo(lastRetry) < 0
        || keep.isNegative()) {
      throw new IllegalArgumentException(
          ("palmares.outbox: first-retry is at least 100ms, last-retry no shorter, patience no"
                  + " shorter than that, keep 0 or more; not %s, %s, %s, %s")
              .formatted(firstRetry, lastRetry, patience, keep));
    }
  }
}
