package palmares.journal;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Drains journals for as long as a server runs. Any number of servers may do so side by side:
 * whoever finds a period held by another leaves it.
 */
@Component
@EnableConfigurationProperties(JournalSettings.class)
class Drainer implements SmartLifecycle {
  private static final int PAUSE_MILLIS = 1_000;
  private static final int PATIENCE_SECONDS = 20;

  private final DrainRound round;
  private final JournalSettings settings;
  private volatile @Nullable ScheduledExecutorService rounds;

  Drainer(DrainRound round, JournalSettings settings) {
    this.round = round;
    this.settings = settings;
  }

  @Override
  public boolean isAutoStartup() {
    return settings.drain();
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService fresh =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "journal drainer"));
    rounds = fresh;
    fresh.scheduleWithFixedDelay(
        () -> round.run(this::isRunning), 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Lets the batch under way end. */
  @Override
  public synchronized void stop() {
    ScheduledExecutorService stopped = rounds;
    rounds = null;
    if (stopped == null) {
      return;
    }
    stopped.shutdown();
    try {
      stopped.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return rounds != null;
  }

  /** Stops before the connections to Redis do. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
