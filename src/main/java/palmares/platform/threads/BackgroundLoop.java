package palmares.platform.threads;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Runs a loop from the start of the application to its end. */
public class BackgroundLoop implements SmartLifecycle {
  private static final Duration ROUND_PAUSE = Duration.ofSeconds(1);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration MAX_SUCCESS_AGE = Duration.ofMinutes(1);

  private final Loops loops;
  private final String name;
  private final boolean autoStartup;
  private final Duration pause;
  private final Consumer<BooleanSupplier> round;
  private @Nullable LoopThread thread;
  private volatile boolean running;

  /** Makes a loop that pauses for a second after each round. */
  public BackgroundLoop(
      Loops loops, String name, boolean autoStartup, Consumer<BooleanSupplier> round) {
    this(loops, name, autoStartup, ROUND_PAUSE, round);
  }

  /**
   * @param name of the loop in log lines, metrics and health, and of the thread
   * @param autoStartup whether the loop starts with the application, as on a server
   * @param pause after a successful round; after a failed one at most five seconds
   * @param round the work of a round; before each batch it asks the supplier whether to continue.
   *     An exception ends only that round, and is logged
   */
  public BackgroundLoop(
      Loops loops,
      String name,
      boolean autoStartup,
      Duration pause,
      Consumer<BooleanSupplier> round) {
    this.loops = loops;
    this.name = name;
    this.autoStartup = autoStartup;
    this.pause = pause;
    this.round = round;
  }

  @Override
  public boolean isAutoStartup() {
    return autoStartup;
  }

  @Override
  public synchronized void start() {
    Loop loop =
        mayTakeLong() ? loops.addPatient(name, MAX_SUCCESS_AGE) : loops.add(name, MAX_SUCCESS_AGE);
    running = true;
    thread =
        LoopThread.start(loop, this::pause, MAX_PAUSE, () -> round.accept(shouldContinue(loop)));
  }

  /** Whether PostgreSQL may take as long as it needs for a statement of a round. */
  protected boolean mayTakeLong() {
    return false;
  }

  /** The pause after a successful round, which has decided it. */
  protected Duration pause() {
    return pause;
  }

  /** A round that asks again has completed a batch, which is reported as progress. */
  private BooleanSupplier shouldContinue(Loop loop) {
    var calls = new int[1];
    return () -> {
      if (calls[0]++ > 0) {
        loop.progress();
      }
      return isRunning();
    };
  }

  /** Waits for the current batch. */
  @Override
  public synchronized void stop() {
    LoopThread stopped = thread;
    thread = null;
    running = false;
    if (stopped != null) {
      stopped.stop(STOP_TIMEOUT);
      loops.remove(name);
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Stops before the Redis connections, which have the default phase. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
