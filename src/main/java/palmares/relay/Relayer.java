package palmares.relay;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Relays for as long as a server runs: what a caller could not, or died before it could. */
@Component
@EnableConfigurationProperties(RelaySettings.class)
class Relayer implements SmartLifecycle {
  private static final int PAUSE_MILLIS = 1_000;
  private static final int PATIENCE_SECONDS = 20;

  private final RelayAttempts attempts;
  private final RelaySettings settings;
  private volatile @Nullable ScheduledExecutorService rounds;

  Relayer(RelayAttempts attempts, RelaySettings settings) {
    this.attempts = attempts;
    this.settings = settings;
  }

  @Override
  public boolean isAutoStartup() {
    return settings.background();
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService fresh =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "relayer"));
    rounds = fresh;
    fresh.scheduleWithFixedDelay(attempts::all, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
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
