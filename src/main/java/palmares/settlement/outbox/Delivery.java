package palmares.settlement.outbox;

import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tells a target the next batch. What the batch is, commits before it is sent; that it has arrived,
 * after it: killed in between, the same batch is sent again under the same id.
 */
@Component
class Delivery {
  private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

  private final Facts facts;
  private final DeliveryTargets targets;
  private final TransactionTemplate transaction;
  private final OutboxSettings settings;
  private final RetryBackoff backoff;
  private final Clock clock;

  Delivery(
      Facts facts,
      DeliveryTargets targets,
      TransactionTemplate transaction,
      OutboxSettings settings,
      RetryBackoff backoff,
      Clock clock) {
    this.facts = facts;
    this.targets = targets;
    this.transaction = transaction;
    this.settings = settings;
    this.backoff = backoff;
    this.clock = clock;
  }

  /** From now on the target is told what happens, if it was not before. */
  void meet(DeliveryTarget target) {
    facts.number();
    transaction.executeWithoutResult(status -> targets.meet(target, facts.last(), clock.instant()));
  }

  /**
   * Sends the next batch, unless nothing waits, the target is to be left alone, or another process
   * is about to tell it something.
   *
   * @return whether it arrived, and there may be more
   */
  boolean next(DeliveryTarget target) {
    facts.number();
    return ask(() -> plan(target)) && ask(() -> send(target));
  }

  private boolean ask(BooleanSupplier work) {
    return Objects.requireNonNull(transaction.execute(status -> work.getAsBoolean()));
  }

  private boolean plan(DeliveryTarget target) {
    Optional<DeliveryTargets.Row> row = due(target);
    if (row.isEmpty() || row.get().batch() != null) {
      return row.isPresent();
    }
    int parts = facts.count(row.get().position(), settings.batchSize());
    if (parts > 0) {
      targets.plan(target.name(), parts);
    }
    return parts > 0;
  }

  /** The row stays locked until the target has answered: nobody else tells it anything. */
  private boolean send(DeliveryTarget target) {
    Optional<DeliveryTargets.Row> row = due(target).filter(found -> found.batch() != null);
    if (row.isEmpty()) {
      return false;
    }
    FactBatch batch = facts.read(row.get().position(), Objects.requireNonNull(row.get().batch()));
    try {
      target.send(batch);
    } catch (DeliveryFailed e) {
      fail(target, row.get(), e);
      return false;
    }
    targets.delivered(target.name(), batch, clock.instant());
    if (row.get().failures() > 0) {
      LOG.info("facts are delivered again target={}", target.name());
    }
    return true;
  }

  private Optional<DeliveryTargets.Row> due(DeliveryTarget target) {
    return targets.lock(target.name()).filter(row -> row.isDue(clock.instant()));
  }

  private void fail(DeliveryTarget target, DeliveryTargets.Row row, DeliveryFailed failure) {
    Instant now = clock.instant();
    Instant since = row.failingSince() == null ? now : row.failingSince();
    boolean parked = failure.isForGood() || !now.isBefore(since.plus(settings.patience()));
    Instant retryAt = parked ? null : now.plus(backoff.after(row.failures() + 1));
    targets.failed(target.name(), String.valueOf(failure.getMessage()), now, retryAt);
    if (parked) {
      LOG.error(
          "facts are not delivered any more target={}: {}; mend it, then 'palmares outbox --retry'",
          target.name(),
          failure.getMessage());
    } else if (row.failures() == 0) {
      LOG.warn(
          "facts wait target={}: {}; tried again at {}, and so on",
          target.name(),
          failure.getMessage(),
          retryAt);
    }
  }
}
