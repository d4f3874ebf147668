package palmares.settlement.closing;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import palmares.period.Heartbeat;

/**
 * Limits how many big outcomes this process fills at the same time. Each filling needs several
 * connections at once, so that too many would wait for connections that others of them hold, until
 * all of them time out.
 */
@Component
class FillPermits {
  /** One copies lines, one payments, one adds up the journal, and one looks up times in it. */
  static final int CONNECTIONS_PER_FILLING = 4;

  /** One listens for changes of API keys all the time, and everything else needs one. */
  static final int MIN_CONNECTIONS = CONNECTIONS_PER_FILLING + 2;

  private static final long HEARTBEAT_INTERVAL_SECONDS = 5;

  private final Semaphore permits;

  /**
   * Leaves half of the connections to everything else, if that is enough for one filling.
   *
   * @throws IllegalArgumentException if there are too few connections for one filling
   */
  FillPermits(@Value("${spring.datasource.hikari.maximum-pool-size}") int connections) {
    if (connections < MIN_CONNECTIONS) {
      throw new IllegalArgumentException(
          ("spring.datasource.hikari.maximum-pool-size is %d, and must be %d or more: the closing"
                  + " of a big period uses %d connections at once, a server listens on one, and"
                  + " everything else needs one")
              .formatted(connections, MIN_CONNECTIONS, CONNECTIONS_PER_FILLING));
    }
    permits = new Semaphore(Math.max(1, connections / 2 / CONNECTIONS_PER_FILLING), true);
  }

  /**
   * Runs a filling once there is a permit for it. The caller must hold no connection.
   *
   * @param heartbeat renews the lease while it waits
   * @throws palmares.period.StaleLease if another process has taken the period over meanwhile
   */
  void run(Heartbeat heartbeat, Runnable filling) {
    acquire(heartbeat);
    try {
      filling.run();
    } finally {
      permits.release();
    }
  }

  private void acquire(Heartbeat heartbeat) {
    try {
      while (!permits.tryAcquire(HEARTBEAT_INTERVAL_SECONDS, TimeUnit.SECONDS)) {
        heartbeat.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while other big closings are filled", e);
    }
  }
}
