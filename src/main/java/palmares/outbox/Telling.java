package palmares.outbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rounds of deliveries to one target, and what of them is measured. */
final class Telling {
  private static final Logger LOG = LoggerFactory.getLogger(Telling.class);

  private final Target target;
  private final Delivery delivery;
  private final Deliveries deliveries;
  private final Clock clock;
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong failing = new AtomicLong();
  private boolean met;
  private boolean outage;

  Telling(
      Target target, Delivery delivery, Deliveries deliveries, Clock clock, MeterRegistry metrics) {
    this.target = target;
    this.delivery = delivery;
    this.deliveries = deliveries;
    this.clock = clock;
    Gauge.builder("palmares.outbox.waiting", waiting, AtomicLong::get)
        .description("facts that the target has not been told yet")
        .baseUnit("facts")
        .tag("target", target.name())
        .register(metrics);
    Gauge.builder("palmares.outbox.failing", failing, AtomicLong::get)
        .description("for how long the target has failed by now")
        .baseUnit("seconds")
        .tag("target", target.name())
        .register(metrics);
  }

  /** Tells all that waits. Says once what stands in the way. */
  void round(BooleanSupplier goesOn) {
    try {
      if (!met) {
        delivery.meet(target);
        met = true;
      }
      while (goesOn.getAsBoolean() && delivery.next(target)) {
        measure();
      }
      measure();
      outage = false;
    } catch (RuntimeException e) {
      if (!outage) {
        LOG.error(
            "facts wait until PostgreSQL answers again target={}: {}",
            target.name(),
            e.getMessage());
      }
      outage = true;
    }
  }

  private void measure() {
    for (TargetLine line : deliveries.all()) {
      if (line.name().equals(target.name())) {
        waiting.set(line.waiting());
        failing.set(
            line.failingSince() == null
                ? 0
                : Duration.between(line.failingSince(), clock.instant()).toSeconds());
      }
    }
  }
}
