package palmares.background;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Rounds of one piece of work, one second apart, on a thread of their own, until it is stopped. */
public class Background implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(Background.class);
  private static final int PAUSE_MILLIS = 1_000;
  private static final int PATIENCE_SECONDS = 20;

  private final String name;
  private final boolean byItself;
  private final Consumer<BooleanSupplier> round;
  private volatile @Nullable ScheduledExecutorService rounds;

  /**
   * @param name the thread's
   * @param byItself whether it starts with the application; a server's does
   * @param round asks, before each batch, whether it should go on. It says itself what goes wrong;
   *     what it throws is logged, and ends that round only
   */
  public Background(String name, boolean byItself, Consumer<BooleanSupplier> round) {
    this.name = name;
    this.byItself = byItself;
    this.round = round;
  }

  @Override
  public boolean isAutoStartup() {
    return byItself;
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService fresh =
        Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, name));
    rounds = fresh;
    fresh.scheduleWithFixedDelay(this::round, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** One that is thrown out of would be the last. */
  private void round() {
    try {
      round.accept(this::isRunning);
    } catch (RuntimeException e) {
      LOG.error("{} broke off, and goes on in the next round", name, e);
    }
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
