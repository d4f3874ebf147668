package palmares.operations.tasks;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/** Runs tasks of one kind on a few threads; the others are queued, up to a limit. */
final class TaskQueue {
  static final int MAX_QUEUED = 100;

  /** So that one caller, such as a leaked key, leaves room for all others. */
  static final int MAX_QUEUED_PER_CALLER = 5;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

  private final int workers;
  private final ThreadPoolTaskExecutor threads = new ThreadPoolTaskExecutor();
  private final Map<String, Integer> queuedBy = new HashMap<>();

  /** Running and queued. */
  private int places;

  /**
   * @param name of its threads
   * @param shutdownTimeout how long {@link #shutdown} waits for tasks
   */
  TaskQueue(String name, int workers, Duration shutdownTimeout) {
    this.workers = workers;
    threads.setThreadNamePrefix(name + " ");
    threads.setCorePoolSize(workers);
    threads.setMaxPoolSize(workers);
    threads.setWaitForTasksToCompleteOnShutdown(true);
    threads.setAwaitTerminationMillis(shutdownTimeout.toMillis());
    threads.initialize();
  }

  /**
   * Takes a place, which the caller must use.
   *
   * @throws Refusal if the queue is full, or the caller has too many in it
   */
  synchronized Place take(String by) {
    boolean isQueued = places >= workers;
    if (isQueued) {
      if (places - workers >= MAX_QUEUED) {
        throw full(new TaskSentences.QueueFull(MAX_QUEUED));
      }
      if (queuedBy.getOrDefault(by, 0) >= MAX_QUEUED_PER_CALLER) {
        throw full(new TaskSentences.TooManyQueued(MAX_QUEUED_PER_CALLER));
      }
      queuedBy.merge(by, 1, Integer::sum);
    }
    int ahead = isQueued ? places : 0;
    places++;
    return new Place(by, ahead);
  }

  private static Refusal full(Sentence said) {
    return new Refusal(Problem.TOO_MANY_REQUESTS, said).after(RETRY_AFTER);
  }

  /** A place in the queue. */
  final class Place {
    private final String by;
    private final int ahead;
    private boolean isCounted;

    private Place(String by, int ahead) {
      this.by = by;
      this.ahead = ahead;
      this.isCounted = ahead > 0;
    }

    /**
     * Reports the number of tasks that run and are queued before it, unless it starts at once. If
     * that fails, the place is released.
     */
    void ifQueued(IntConsumer report) {
      try {
        if (ahead > 0) {
          report.accept(ahead);
        }
      } catch (RuntimeException e) {
        release();
        throw e;
      }
    }

    /** Runs the work when it is its turn, and releases the place. */
    void run(Runnable work) {
      threads.execute(
          () -> {
            try {
              begin();
              work.run();
            } finally {
              release();
            }
          });
    }

    private void begin() {
      synchronized (TaskQueue.this) {
        if (isCounted) {
          isCounted = false;
          queuedBy.computeIfPresent(by, (name, count) -> count == 1 ? null : count - 1);
        }
      }
    }

    /** Releases a place that is not used. */
    void release() {
      synchronized (TaskQueue.this) {
        begin();
        places--;
      }
    }
  }

  /** Starts again after a shutdown. */
  void start() {
    threads.initialize();
  }

  /** Refuses further tasks. */
  void refuse() {
    threads.initiateShutdown();
  }

  /** Refuses further tasks, and waits until all tasks have ended, or the timeout is over. */
  void shutdown() {
    threads.shutdown();
  }

  boolean isShutdown() {
    return threads.getThreadPoolExecutor().isShutdown();
  }
}
