package palmares.platform.time;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * Reports how far this machine's clock is from the database server's. Periods go by the database
 * server's alone; Quartz compares the clocks of the machines that schedule.
 */
@Component
class ClockSkew {
  ClockSkew(Clock clock, ObjectProvider<MachineClock> machineClock, MeterRegistry metrics) {
    MachineClock machine = machineClock.getIfAvailable(() -> ofSystem(clock));
    if (machine != null) {
      Gauge.builder("palmares.clock.skew", () -> (machine.millis() - clock.millis()) / 1e3)
          .description("this machine's clock minus the database server's")
          .baseUnit("seconds")
          .register(metrics);
    }
  }

  /** A sandbox has a clock that nothing else has. */
  private static @Nullable MachineClock ofSystem(Clock clock) {
    return clock instanceof DatabaseClock ? System::currentTimeMillis : null;
  }
}
