package palmares.operations.signals;

import org.springframework.stereotype.Component;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/** Refreshes the metrics of periods for as long as a server runs. */
@Component
class SignalLoop extends BackgroundLoop {
  SignalLoop(Loops loops, SignalSettings settings, PeriodMetrics metrics) {
    super(loops, "period metrics", settings.background(), goesOn -> metrics.refreshIfStale());
  }
}
