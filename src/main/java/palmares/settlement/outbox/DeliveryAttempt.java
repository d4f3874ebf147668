package palmares.settlement.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to deliver a batch to a target.
 *
 * @param batch the id of the batch, the same for each attempt to deliver it
 * @param facts how many facts it has
 * @param answer the HTTP status that was answered; null if there is none
 * @param failure why it failed; null if the batch has arrived
 * @param parked whether retries stopped after it
 */
public record DeliveryAttempt(
    long id,
    String target,
    Instant startedAt,
    long tookMs,
    String batch,
    int facts,
    @Nullable Integer answer,
    @Nullable String failure,
    boolean parked) {

  /** Whether the batch arrived, the attempt failed, or it was the last one. */
  public String outcome() {
    return failure == null ? "delivered" : parked ? "parked" : "failed";
  }
}
