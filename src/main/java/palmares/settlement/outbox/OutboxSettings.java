package palmares.settlement.outbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.platform.text.Setting;

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
    var outbox = new Setting("palmares.outbox");
    outbox.part("batch-size").requireWithin(1, 5_000, batchSize);
    outbox.part("keep-attempts").requireWithin(1, 100_000, keepAttempts);
    Setting min = outbox.part("min-retry-delay");
    Setting max = outbox.part("max-retry-delay");
    min.requireAtLeast(Duration.ofMillis(100), minRetryDelay);
    max.requireNoShorter(min, minRetryDelay, maxRetryDelay);
    outbox.part("park-after").requireNoShorter(max, maxRetryDelay, parkAfter);
    outbox.part("retention").requireAtLeast(Duration.ZERO, retention);
  }
}
