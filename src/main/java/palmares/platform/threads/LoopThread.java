package palmares.platform.threads;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The thread of a loop: runs its rounds one after another, and other work between them. */
public final class LoopThread {
  private final Loop loop;
  private final Duration usual;
  private final Duration longest;
  private final Runnable round;
  private final ScheduledThreadPoolExecutor thread;

  private LoopThread(Loop loop, Duration usual, Duration longest, Runnable round) {
    this.loop = loop;
    this.usual = usual;
    this.longest = longest;
    this.round = round;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              var made = new Thread(work, loop.name());
              made.setDaemon(true);
              return made;
            });
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /**
   * Starts the rounds.
   *
   * @param usual the pause after a round that succeeded
   * @param longest the longest pause after rounds that failed
   */
  public static LoopThread start(Loop loop, Duration usual, Duration longest, Runnable round) {
    var started = new LoopThread(loop, usual, longest, round);
    started.execute(started::round);
    return started;
  }

  private void round() {
    try {
      loop.run(round);
    } finally {
      schedule();
    }
  }

  private void schedule() {
    try {
      thread.schedule(this::round, loop.pause(usual, longest).toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException stopped) {
      // It was stopped: this was the last round.
    }
  }

  /**
   * Runs work between two rounds.
   *
   * @return false if the thread was stopped, and the work is not run
   */
  public boolean execute(Runnable work) {
    try {
      thread.execute(work);
      return true;
    } catch (RejectedExecutionException stopped) {
      return false;
    }
  }

  /** Begins no further round and waits for the present one to end. */
  public void stop(Duration patience) {
    thread.shutdown();
    try {
      thread.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
