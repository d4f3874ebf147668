package palmares.platform.threads;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.TriggerContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Runs the rounds of a loop one after another on a thread, and other work between them. */
public final class LoopThread {
  private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

  private LoopThread(String name) {
    scheduler.setThreadNamePrefix(name + " ");
    scheduler.setDaemon(true);
    scheduler.setWaitForTasksToCompleteOnShutdown(true);
    scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    scheduler.initialize();
  }

  /**
   * Starts the first round at once.
   *
   * @param pause after a successful round
   * @param maxPause after failed rounds, whose pauses grow
   */
  public static LoopThread start(Loop loop, Duration pause, Duration maxPause, Runnable round) {
    return start(loop, () -> pause, maxPause, round);
  }

  static LoopThread start(Loop loop, Supplier<Duration> pause, Duration maxPause, Runnable round) {
    var thread = new LoopThread(loop.name());
    thread.scheduler.schedule(
        () -> loop.run(round), context -> next(context, loop.pause(pause.get(), maxPause)));
    return thread;
  }

  private static Instant next(TriggerContext context, Duration pause) {
    Instant end = context.lastCompletion();
    return end == null ? context.getClock().instant() : end.plus(pause);
  }

  /**
   * Runs work between two rounds.
   *
   * @return false if the thread was stopped, so that the work does not run
   */
  public boolean execute(Runnable work) {
    try {
      scheduler.execute(work);
      return true;
    } catch (TaskRejectedException stopped) {
      return false;
    }
  }

  /** Starts no further round, and waits for the present one to end. */
  public void stop(Duration timeout) {
    scheduler.setAwaitTerminationMillis(timeout.toMillis());
    scheduler.shutdown();
  }
}
