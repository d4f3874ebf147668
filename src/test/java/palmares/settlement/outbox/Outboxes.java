package palmares.settlement.outbox;

import java.time.Clock;
import java.time.Duration;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.threads.Spans;
import palmares.settlement.outbox.Delivery.RetryBackoff;

/** Deliveries that run when a test says so, with retries that are not delayed at random. */
final class Outboxes {
  private Outboxes() {}

  static Delivery delivery(
      int batchSize,
      Facts facts,
      Deliveries deliveries,
      TransactionTemplate transaction,
      Clock clock,
      Spans spans) {
    var settings =
        new OutboxSettings(
            false,
            batchSize,
            Duration.ofSeconds(5),
            Duration.ofHours(1),
            Duration.ofDays(3),
            Duration.ofDays(90),
            1_000);
    return new Delivery(
        facts,
        deliveries,
        transaction,
        settings,
        new RetryBackoff(settings, () -> 1),
        clock,
        spans);
  }
}
