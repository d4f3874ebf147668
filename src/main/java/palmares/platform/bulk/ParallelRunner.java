package palmares.platform.bulk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import palmares.platform.threads.LogContext;

/**
 * Runs tasks in parallel on a few threads. Unlike an executor of Spring, a call starts nothing
 * after the first failure, and returns only when none of its tasks runs any more, so that the
 * caller may drop the tables or the snapshot that they use.
 */
public final class ParallelRunner {
  /** For all callers together, because each task holds a database connection. */
  private static final int MAX_RUNNING_TASKS = 8;

  /** At least two, because a task waits for the servers as long as it computes. */
  private static final int MAX_THREADS =
      Math.min(MAX_RUNNING_TASKS, Math.max(2, Runtime.getRuntime().availableProcessors()));

  private static final Semaphore PERMITS = new Semaphore(MAX_RUNNING_TASKS);

  private ParallelRunner() {}

  /**
   * Runs all tasks and waits for them.
   *
   * @throws RuntimeException as {@link #run(List, int)} does
   */
  public static void run(List<Runnable> tasks) {
    run(tasks, MAX_THREADS);
  }

  /**
   * Runs all tasks and waits for them.
   *
   * @param most how many run at the same time at most
   * @throws RuntimeException of the first task that fails; tasks that have not started do not run
   *     then, and none runs any more
   */
  public static void run(List<Runnable> tasks, int most) {
    if (tasks.size() < 2) {
      tasks.forEach(Runnable::run);
      return;
    }
    int threads = Math.min(most, Math.min(MAX_THREADS, tasks.size()));
    ExecutorService workers =
        Executors.newFixedThreadPool(threads, new CustomizableThreadFactory("parallel "));
    var futures = new ArrayList<Future<Void>>();
    try {
      CompletionService<Void> finished = new ExecutorCompletionService<>(workers);
      for (Runnable task : tasks) {
        Runnable wrapped = LogContext.wrap(task);
        futures.add(finished.submit(() -> runWithPermit(wrapped), null));
      }
      for (int i = 0; i < tasks.size(); i++) {
        finished.take().get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for tasks", e);
    } finally {
      futures.forEach(future -> future.cancel(false));
      workers.shutdown();
      awaitTermination(workers);
    }
  }

  private static void runWithPermit(Runnable task) {
    PERMITS.acquireUninterruptibly();
    try {
      task.run();
    } finally {
      PERMITS.release();
    }
  }

  /**
   * Waits until the last task has ended, for any time and also if the caller is interrupted: when
   * it learns of a failure, none may be running. An executor of Spring would wait for a fixed time.
   */
  public static void awaitTermination(ExecutorService workers) {
    boolean isInterrupted = false;
    while (!workers.isTerminated()) {
      try {
        workers.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
