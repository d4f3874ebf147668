package palmares.settlement.nightly;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** What the last night found, for an alarm: every process tells it, whichever verified. */
@Component
class NightlyMetrics {
  private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();

  private final NightlyVerification nightlyVerification;
  private final Clock clock;
  private Optional<NightlyResult> last = Optional.empty();
  private long readAt = System.nanoTime() - FRESH_NANOS;

  NightlyMetrics(NightlyVerification nightlyVerification, Clock clock, MeterRegistry metrics) {
    this.nightlyVerification = nightlyVerification;
    this.clock = clock;
    Gauge.builder("palmares.verify.differences", this, NightlyMetrics::differences)
        .description("what the last night's verification found amiss")
        .register(metrics);
    Gauge.builder("palmares.verify.age", this, NightlyMetrics::age)
        .description("how long ago the last night's verification ended")
        .baseUnit("seconds")
        .register(metrics);
  }

  private double differences() {
    return last().map(line -> (double) line.differences()).orElse(Double.NaN);
  }

  private double age() {
    return last()
        .map(line -> Duration.between(line.endedAt(), clock.instant()).toMillis() / 1e3)
        .orElse(Double.NaN);
  }

  /** As it was seen last, while PostgreSQL does not answer. */
  private synchronized Optional<NightlyResult> last() {
    if (System.nanoTime() - readAt >= FRESH_NANOS) {
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
