package palmares.operations.signals;

import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;
import palmares.platform.nodes.StoreProbe;

/** Sends a heartbeat, checks PostgreSQL and Redis, and refreshes all metrics, every ten seconds. */
@Component
class SignalRound {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  private final StoreProbe stores;
  private final List<RefreshedMetrics> metrics;
  private long ranAt = System.nanoTime() - INTERVAL_NANOS;

  SignalRound(StoreProbe stores, List<RefreshedMetrics> metrics) {
    this.stores = stores;
    this.metrics = metrics;
  }

  /** Implemented by metrics that are read from PostgreSQL; while it is away, they keep values. */
  interface RefreshedMetrics {
    void refresh();
  }

  /** Runs a round, unless the last one began less than ten seconds ago. */
  void runIfDue() {
    if (System.nanoTime() - ranAt >= INTERVAL_NANOS) {
      ranAt = System.nanoTime();
      run();
    }
  }

  /**
   * Runs a round.
   *
   * @throws RuntimeException if PostgreSQL does not answer, or refuses the heartbeat
   */
  synchronized void run() {
    stores.checkRedis();
    stores.beat();
    metrics.forEach(RefreshedMetrics::refresh);
  }
}
