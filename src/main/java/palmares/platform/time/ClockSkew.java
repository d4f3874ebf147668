package palmares.platform.time;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.stereotype.Component;

/**
 * Reports how far this machine's clock is from the database server's. Periods go by the database
 * server's alone; Quartz compares the clocks of the machines that schedule.
 */
@Component
class ClockSkew {
  ClockSkew(Clock clock, MeterRegistry metrics) {
    if (clock instanceof DatabaseClock) {
      Gauge.builder(
              "palmares.clock.skew", () -> (System.currentTimeMillis() - clock.millis()) / 1e3)
          .description("this machine's clock minus the database server's")
          .baseUnit("seconds")
          .register(metrics);
    }
  }
}
