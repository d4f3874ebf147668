package palmares.settlement.nightly;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Publishes the result of the last nightly verification in every process, for alarms. */
@Component
class NightlyMetrics {
  private static final long MAX_AGE_NANOS = Duration.ofMinutes(1).toNanos();

  private final NightlyVerification nightlyVerification;
  private final Clock clock;
  private Optional<NightlyResult> last = Optional.empty();
  private long readAt = System.nanoTime() - MAX_AGE_NANOS;

  NightlyMetrics(NightlyVerification nightlyVerification, Clock clock, MeterRegistry metrics) {
    this.nightlyVerification = nightlyVerification;
    this.clock = clock;
    Gauge.builder("palmares.verify.differences", this, NightlyMetrics::differences)
        .description("differences that the last nightly verification found")
        .register(metrics);
    Gauge.builder("palmares.verify.age", this, NightlyMetrics::age)
        .description("time since the last nightly verification ended")
        .baseUnit("seconds")
        .register(metrics);
  }

  private double differences() {
    return last().map(result -> (double) result.differences()).orElse(Double.NaN);
  }

  private double age() {
    return last()
        .map(result -> Duration.between(result.endedAt(), clock.instant()).toMillis() / 1e3)
        .orElse(Double.NaN);
  }

  /** If PostgreSQL does not answer, returns the last known result. */
  private synchronized Optional<NightlyResult> last() {
    if (System.nanoTime() - readAt >= MAX_AGE_NANOS) {
      readAt = System.nanoTime();
      try {
        last = nightlyVerification.last();
      } catch (DataAccessException e) {
        return last;
      }
    }
    return last;
  }
}
