package palmares.settlement.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How it stands with a target.
 *
 * @param since from when on it is told what happens
 * @param delivered how many facts it has been told so far; repeats count again
 * @param waiting how many it has not been told yet
 * @param failures how often in a row it has failed; 0 if the last attempt went well
 * @param failure what went wrong last
 * @param retryAt when it is tried again; null for at once
 * @param parkedAt since when nobody tries any more; null if somebody does
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
