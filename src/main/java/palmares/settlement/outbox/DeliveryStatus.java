package palmares.settlement.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of deliveries to a target.
 *
 * @param since the target gets facts from this time on
 * @param delivered how many facts were delivered; those delivered again count again
 * @param waiting how many facts are not delivered yet
 * @param failures how often in a row delivery has failed; 0 if the last attempt succeeded
 * @param failure why the last attempt failed
 * @param retryAt when delivery is retried; null for at once
 * @param parkedAt when retries stopped; null if they go on
 */
public record DeliveryStatus(
    String name,
    String address,
    Instant since,
    long delivered,
    long waiting,
    @Nullable Instant deliveredAt,
    int failures,
    @Nullable Instant failingSince,
    @Nullable String failure,
    @Nullable Instant retryAt,
    @Nullable Instant parkedAt) {}
