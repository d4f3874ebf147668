package palmares.operations.monitoring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.platform.nodes.StoreProbe;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/**
 * Refreshes all metrics that are read from PostgreSQL, every ten seconds, and checks its sessions.
 */
@Component
class SignalRound {
  static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Once a minute, because it takes two connections. */
  private static final int ROUNDS_BETWEEN_SESSION_CHECKS = 6;

  private final List<RefreshedMetrics> metrics;
  private final StoreProbe stores;
  private int rounds;

  SignalRound(List<RefreshedMetrics> metrics, StoreProbe stores) {
    this.metrics = metrics;
    this.stores = stores;
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
    if (++rounds % ROUNDS_BETWEEN_SESSION_CHECKS == 0) {
      first = refresh(stores::checkSessions, first);
    }
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
