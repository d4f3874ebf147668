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
  static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  private final List<RefreshedMetrics> metrics;
  private long ranAt = System.nanoTime() - INTERVAL_NANOS;

  SignalRound(List<RefreshedMetrics> metrics) {
    this.metrics = metrics;
  }

  /** Refreshes the metrics of a server for as long as it runs. */
  @Component
  static class SignalLoop extends BackgroundLoop {
    SignalLoop(Loops loops, SignalSettings settings, SignalRound round) {
      super(loops, "signals", settings.background(), goesOn -> round.runIfDue());
    }
  }

  /** Implemented by metrics that are read from PostgreSQL; while it is away, they keep values. */
  interface RefreshedMetrics {
    void refresh();
  }

  /**
   * Runs a round, unless the last successful one ended less than ten seconds ago. A round that is
   * skipped counts as a success of the loop, so none is skipped after a failure.
   */
  void runIfDue() {
    if (System.nanoTime() - ranAt >= INTERVAL_NANOS) {
      run();
      ranAt = System.nanoTime();
    }
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
