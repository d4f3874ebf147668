package palmares.settlement.outbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Rounds of deliveries to one target, and what of them is measured. */
final class DeliveryLoop {
  private final DeliveryTarget target;
  private final Delivery delivery;
  private final Deliveries deliveries;
  private final Clock clock;
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong failing = new AtomicLong();
  private boolean met;

  DeliveryLoop(
      DeliveryTarget target,
      Delivery delivery,
      Deliveries deliveries,
      Clock clock,
      MeterRegistry metrics) {
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

  /** Tells all that waits. */
  void round(BooleanSupplier goesOn) {
    if (!met) {
      delivery.meet(target);
      met = true;
    }
    while (goesOn.getAsBoolean() && delivery.next(target)) {
      measure();
    }
    measure();
  }

  private void measure() {
    for (DeliveryStatus line : deliveries.all()) {
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
