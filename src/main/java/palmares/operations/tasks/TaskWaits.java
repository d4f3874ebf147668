package palmares.operations.tasks;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/**
 * Answers callers once their tasks are over or have more progress. A wait holds no thread: one
 * thread reads all awaited tasks, as they may run in other processes.
 */
final class TaskWaits {
  /** So that one caller, such as a leaked key, leaves connections and memory for all others. */
  static final int MAX_WAITS_PER_CALLER = 40;

  private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Function<Set<Long>, Map<Long, Task>> read;
  private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isPolling = new AtomicBoolean();
  private final ThreadPoolTaskScheduler thread = new ThreadPoolTaskScheduler();

  /**
   * @param read returns those of the tasks that exist
   */
  TaskWaits(Function<Set<Long>, Map<Long, Task>> read) {
    this.read = read;
    thread.setThreadNamePrefix("waits for tasks ");
    thread.setDaemon(true);
  }

  /** Compared by identity: a caller may wait for the same twice. */
  private static final class Wait {
    private final long id;
    private final int seen;
    private final String by;
    private final long deadline;
    private final CompletableFuture<Task> answer = new CompletableFuture<>();

    Wait(long id, int seen, String by, long deadline) {
      this.id = id;
      this.seen = seen;
      this.by = by;
      this.deadline = deadline;
    }
  }

  void start() {
    thread.initialize();
    thread.scheduleWithFixedDelay(this::poll, POLL_INTERVAL);
  }

  /**
   * Begins to wait for a task.
   *
   * @param by the caller
   * @return the task as it is after the wait; to cancel it ends the wait
   * @throws Refusal if the caller has too many waits
   */
  CompletableFuture<Task> begin(long id, int seen, String by, Duration timeout) {
    var wait = new Wait(id, seen, by, System.nanoTime() + timeout.toNanos());
    synchronized (this) {
      if (waits.stream().filter(each -> each.by.equals(by)).count() >= MAX_WAITS_PER_CALLER) {
        throw new Refusal(
                Problem.TOO_MANY_REQUESTS, new TaskSentences.TooManyWaits(MAX_WAITS_PER_CALLER, id))
            .after(RETRY_AFTER);
      }
      waits.add(wait);
    }
    wait.answer.whenComplete((task, failure) -> waits.remove(wait));
    return wait.answer;
  }

  /** Reads a task at once that has changed in this process. */
  void changed(long id) {
    if (waits.stream().anyMatch(wait -> wait.id == id) && isPolling.compareAndSet(false, true)) {
      thread.execute(this::poll);
    }
  }

  private void poll() {
    isPolling.set(false);
    long now = System.nanoTime();
    answer(wait -> now - wait.deadline >= 0);
  }

  /** Answers those whose tasks have news, and those that must not wait any longer. */
  private void answer(Predicate<Wait> isOver) {
    List<Wait> open = List.copyOf(waits);
    if (open.isEmpty()) {
      return;
    }
    var ids = new HashSet<Long>();
    open.forEach(wait -> ids.add(wait.id));
    try {
      Map<Long, Task> tasks = read.apply(ids);
      for (Wait wait : open) {
        Task task = tasks.get(wait.id);
        if (task == null) {
          wait.answer.completeExceptionally(TaskRows.unknown(wait.id));
        } else if (task.hasNews(wait.seen) || isOver.test(wait)) {
          wait.answer.complete(task);
        }
      }
    } catch (RuntimeException e) {
      open.forEach(wait -> wait.answer.completeExceptionally(e));
    }
  }

  /** Answers all with their tasks as they are, and stops. */
  void stop() {
    thread.shutdown();
    answer(wait -> true);
  }

  int count() {
    return waits.size();
  }
}
