package palmares.settlement.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.threads.Spans;
import palmares.settlement.outbox.DeliveryTarget.Answer;
import palmares.settlement.outbox.DeliveryTarget.DeliveryFailed;
import palmares.settlement.outbox.FactBatch.Position;
import palmares.settlement.wallet.Resend;

/**
 * Delivers the next batch to a target. The size of the batch commits before it is sent, its arrival
 * afterwards. If the process dies in between, the same batch is sent again under the same id.
 */
@Component
class Delivery {
  private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

  private static final Duration REGISTRATION_INTERVAL = Duration.ofSeconds(30);

  private final Facts facts;
  private final Deliveries deliveries;
  private final TransactionTemplate transaction;
  private final OutboxSettings settings;
  private final RetryBackoff backoff;
  private final Clock clock;
  private final Spans spans;

  Delivery(
      Facts facts,
      Deliveries deliveries,
      TransactionTemplate transaction,
      OutboxSettings settings,
      RetryBackoff backoff,
      Clock clock,
      Spans spans) {
    this.facts = facts;
    this.deliveries = deliveries;
    this.transaction = transaction;
    this.settings = settings;
    this.backoff = backoff;
    this.clock = clock;
    this.spans = spans;
  }

  /** Registers a target. A new one gets the facts from now on. */
  void register(DeliveryTarget target) {
    facts.number();
    transaction.executeWithoutResult(
        status -> deliveries.register(target, facts.last(), clock.instant()));
  }

  /**
   * Registers a target at the start, and again every half minute: so that nobody removes it while
   * it is configured, and so that it starts again if that happens all the same.
   *
   * @param last when this process last did so; null if it never did
   * @return when it last did so
   */
  Instant keepRegistered(DeliveryTarget target, @Nullable Instant last) {
    Instant now = clock.instant();
    if (last != null && now.isBefore(last.plus(REGISTRATION_INTERVAL))) {
      return last;
    }
    boolean known = last != null && inTransaction(() -> deliveries.touch(target.name(), now));
    if (!known) {
      register(target);
    }
    return now;
  }

  /**
   * Sends the next batch, unless there is none, the target's retry is not due, or another process
   * delivers to it.
   *
   * @return whether a batch arrived; there may be more then
   */
  boolean deliverNext(DeliveryTarget target) {
    facts.number();
    return inTransaction(() -> plan(target)) && inTransaction(() -> send(target))
        || target.confirms() && inTransaction(() -> resend(target));
  }

  private boolean inTransaction(BooleanSupplier work) {
    return transaction.execute(status -> work.getAsBoolean());
  }

  private boolean plan(DeliveryTarget target) {
    Optional<Deliveries.Row> row = due(target);
    if (row.isEmpty() || row.get().batch() != null) {
      return row.isPresent();
    }
    Position from = row.get().position();
    // The transfers of a revision are finished as they were begun.
    Subscription wanted = from.parts() > 0 ? row.get().facts() : target.facts();
    long last = facts.last();
    int parts = facts.count(from, last, wanted, Math.min(settings.batchSize(), target.maxBatch()));
    if (parts > 0) {
      deliveries.plan(target.name(), parts, wanted);
    } else if (from.parts() == 0 && last > from.fact()) {
      deliveries.skip(target.name(), last);
    }
    return parts > 0;
  }

  /**
   * Keeps the row locked until the target has answered, so that no other process delivers to it.
   */
  private boolean send(DeliveryTarget target) {
    Optional<Deliveries.Row> row = due(target).filter(found -> found.batch() != null);
    if (row.isEmpty()) {
      return false;
    }
    return send(
        target,
        row.get(),
        facts.read(
            row.get().position(), row.get().facts(), Objects.requireNonNull(row.get().batch())));
  }

  /** Sends some awards again once there is no backlog, so that no award comes before its period. */
  private boolean resend(DeliveryTarget target) {
    Optional<Deliveries.Row> row = due(target).filter(found -> found.batch() == null);
    List<Resend> resending = row.isEmpty() ? List.of() : deliveries.resends(settings.batchSize());
    if (row.isEmpty() || resending.isEmpty()) {
      return false;
    }
    boolean sent = send(target, row.get(), facts.again(resending, row.get().position()));
    if (sent) {
      deliveries.resent(resending);
    }
    return sent;
  }

  private boolean send(DeliveryTarget target, Deliveries.Row row, FactBatch batch) {
    Instant startedAt = clock.instant();
    Answer answer;
    try {
      answer = sendTraced(target, batch);
    } catch (DeliveryFailed e) {
      boolean parked = fail(target, row, e);
      deliveries.attempted(target.name(), batch, startedAt, e.answer(), e.said(), parked);
      return false;
    }
    deliveries.answered(target.name(), batch, answer);
    deliveries.attempted(target.name(), batch, startedAt, answer.status(), null, false);
    deliveries.delivered(target.name(), batch, clock.instant());
    if (row.failures() > 0) {
      LOG.info("deliveries succeed again target={}", target.name());
    }
    return true;
  }

  /** In the trace that led to the first fact. */
  private Answer sendTraced(DeliveryTarget target, FactBatch batch) {
    return spans.callIn(
        batch.traceparent(),
        "deliver",
        () -> target.send(batch),
        "target",
        target.name(),
        "facts",
        batch.facts().size());
  }

  private Optional<Deliveries.Row> due(DeliveryTarget target) {
    return deliveries.lock(target.name()).filter(row -> row.isDue(clock.instant()));
  }

  /** Returns whether the target is parked. */
  private boolean fail(DeliveryTarget target, Deliveries.Row row, DeliveryFailed failure) {
    Instant now = clock.instant();
    Instant since = row.failingSince() == null ? now : row.failingSince();
    boolean parked = failure.isPermanent() || !now.isBefore(since.plus(settings.parkAfter()));
    Instant retryAt = parked ? null : now.plus(backoff.after(row.failures() + 1));
    deliveries.failed(target.name(), failure.said(), now, retryAt);
    if (parked) {
      LOG.error(
          "facts are not delivered any more target={}: {}; repair it, then retry the deliveries",
          target.name(),
          failure.getMessage());
    } else if (row.failures() == 0) {
      LOG.warn(
          "delivery failed target={}: {}; retried at {}",
          target.name(),
          failure.getMessage(),
          retryAt);
    }
    return parked;
  }

  /** Computes delays between retries, which double with each failure and are jittered. */
  @Component
  static class RetryBackoff {
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
}
