package palmares.operations.monitoring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/** Refreshes all metrics that are read from PostgreSQL, every ten seconds. */
@Component
class SignalRound {
  static final Duration INTERVAL = Duration.ofSeconds(10);

  private final List<RefreshedMetrics> metrics;

  SignalRound(List<RefreshedMetrics> metrics) {
    this.metrics = metrics;
  }

  /** Refreshes the metrics of a server for as long as it runs. */
  @Component
  static class SignalLoop extends BackgroundLoop {
    SignalLoop(Loops loops, SignalSettings settings, SignalRound round) {
      super(loops, "signals", settings.background(), INTERVAL, goesOn -> round.run());
    }
  }

  /** Implemented by metrics that are read from PostgreSQL; while it is away, they keep values. */
  interface RefreshedMetrics {
    void refresh();
  }

  /**
   * Runs a round. If some metrics cannot be read, the others are refreshed all the same.
   *
   * @throws RuntimeException the first failure
   */
  synchronized void run() {
    RuntimeException first = null;
    for (RefreshedMetrics each : metrics) {
      first = refresh(each, first);
    }
    if (first != null) {
      throw first;
    }
  }

  private static @Nullable RuntimeException refresh(
      RefreshedMetrics metrics, @Nullable RuntimeException first) {
    try {
      metrics.refresh();
    } catch (RuntimeException e) {
      if (first == null) {
        return e;
      }
      first.addSuppressed(e);
    }
    return first;
  }
}
