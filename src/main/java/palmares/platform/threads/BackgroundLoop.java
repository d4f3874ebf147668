package palmares.platform.threads;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** A loop of the whole application: rounds of one piece of work, one second apart. */
public class BackgroundLoop implements SmartLifecycle {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
  private static final Duration BOUND = Duration.ofMinutes(1);

  private final Loops loops;
  private final String name;
  private final boolean autoStartup;
  private final Consumer<BooleanSupplier> round;
  private @Nullable LoopThread thread;
  private volatile boolean running;

  /**
   * @param name the thread's, and the loop's in log lines, metrics and health
   * @param autoStartup whether it starts with the application; a server's does
   * @param round asks, before each batch, whether it should go on. What it throws ends that round
   *     only, and is logged
   */
  public BackgroundLoop(
      Loops loops, String name, boolean autoStartup, Consumer<BooleanSupplier> round) {
    this.loops = loops;
    this.name = name;
    this.autoStartup = autoStartup;
    this.round = round;
  }

  @Override
  public boolean isAutoStartup() {
    return autoStartup;
  }

  @Override
  public synchronized void start() {
    Loop loop = loops.add(name, BOUND);
    running = true;
    thread = LoopThread.start(loop, PAUSE, LONGEST_PAUSE, () -> round.accept(goesOn(loop)));
  }

  /** A round that asks again has done a batch, so a long round counts as progress. */
  private BooleanSupplier goesOn(Loop loop) {
    var asked = new int[1];
    return () -> {
      if (asked[0]++ > 0) {
        loop.progress();
      }
      return isRunning();
    };
  }

  /** Lets the batch under way end. */
  @Override
  public synchronized void stop() {
    LoopThread stopped = thread;
    thread = null;
    running = false;
    if (stopped != null) {
      stopped.stop(STOP_PATIENCE);
      loops.remove(name);
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Stops before the connections to Redis do. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
