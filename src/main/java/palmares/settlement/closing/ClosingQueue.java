package palmares.settlement.closing;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;

/**
 * Runs closings in parallel, a few at a time. What is due is taken when a worker is free, so that
 * schedulers share it; only periods that a caller waits for are queued here, none of them twice.
 */
@Component
public class ClosingQueue implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(ClosingQueue.class);

  /** More than there are cores: a small closing mostly waits for commits to reach the disk. */
  private static final int MAX_CONCURRENT_CLOSINGS = 6;

  private static final int SHUTDOWN_TIMEOUT_SECONDS = 20;

  private final Closings closings;
  private final Outages outages;
  private final MeterRegistry metrics;
  private final boolean scheduler;
  private final Map<PeriodId, CompletableFuture<ClosingResult>> queued = new ConcurrentHashMap<>();
  private final Queue<Work> waiting = new ConcurrentLinkedQueue<>();
  private final Semaphore free = new Semaphore(MAX_CONCURRENT_CLOSINGS);
  private final ThreadPoolTaskExecutor workers = new ThreadPoolTaskExecutor();

  /**
   * A closing and its result.
   *
   * @param goesOn is asked before the closing; if not, its result is cancelled
   * @param rejected runs if no worker takes the closing
   */
  private record Work(
      PeriodId period,
      CompletableFuture<ClosingResult> result,
      BooleanSupplier goesOn,
      Supplier<ClosingResult> closing,
      Runnable rejected) {}

  ClosingQueue(
      Closings closings,
      Loops loops,
      MeterRegistry metrics,
      @Value("${spring.quartz.auto-startup:false}") boolean scheduler) {
    this.closings = closings;
    this.scheduler = scheduler;
    this.outages = loops.outages();
    this.metrics = metrics;
    workers.setThreadNamePrefix("closing ");
    workers.setCorePoolSize(MAX_CONCURRENT_CLOSINGS);
    workers.setMaxPoolSize(MAX_CONCURRENT_CLOSINGS);
    workers.setWaitForTasksToCompleteOnShutdown(true);
    workers.setAwaitTerminationSeconds(SHUTDOWN_TIMEOUT_SECONDS);
    workers.initialize();
  }

  /**
   * Queues the periods in this order.
   *
   * @return their results, in the same order
   */
  public List<CompletableFuture<ClosingResult>> close(
      Collection<PeriodId> periods, ClosingCause cause) {
    return close(periods, cause, () -> true);
  }

  /**
   * As {@link #close(Collection, ClosingCause)}. The results of a period that is queued already are
   * those of the caller who queued it.
   *
   * @param goesOn is asked before each closing; if not, its result is cancelled
   */
  public List<CompletableFuture<ClosingResult>> close(
      Collection<PeriodId> periods, ClosingCause cause, BooleanSupplier goesOn) {
    return periods.stream().map(period -> enqueue(period, cause, goesOn)).toList();
  }

  private CompletableFuture<ClosingResult> enqueue(
      PeriodId period, ClosingCause cause, BooleanSupplier goesOn) {
    var work =
        new Work(
            period,
            new CompletableFuture<>(),
            goesOn,
            () -> closings.close(period, cause, step -> {}),
            () -> {});
    CompletableFuture<ClosingResult> former = queued.putIfAbsent(period, work.result());
    if (former != null) {
      return former;
    }
    waiting.add(work);
    start(waiting::poll);
    if (!isRunning()) {
      drop(work);
    }
    return work.result();
  }

  /**
   * Takes due periods, the earliest first, while workers are free, and closes them. In a scheduler
   * a worker that is free again takes the next one.
   *
   * @return the closings that it began
   */
  public List<CompletableFuture<ClosingResult>> takeDue() {
    var begun = new ArrayList<CompletableFuture<ClosingResult>>();
    var skipped = new HashSet<PeriodId>();
    start(
        () -> {
          Work first = waiting.poll();
          if (first != null) {
            return first;
          }
          skipped.addAll(queued.keySet());
          return closings.takeDue(skipped, this::startNext).map(taken(begun)).orElse(null);
        });
    return begun;
  }

  private Function<Attempt, Work> taken(List<CompletableFuture<ClosingResult>> begun) {
    return attempt -> {
      var result = new CompletableFuture<ClosingResult>();
      begun.add(result);
      PeriodId period = attempt.lease().period();
      queued.put(period, result); // Even if a caller has just queued it, who finds it busy.
      return new Work(
          period,
          result,
          () -> true,
          () -> closings.finish(attempt),
          () -> closings.giveBack(attempt));
    };
  }

  /** Starts work in free workers, until there is none. */
  private void start(Supplier<@Nullable Work> next) {
    while (isRunning() && free.tryAcquire()) {
      boolean started = false;
      try {
        Work work = next.get();
        started = work != null && start(work);
      } finally {
        if (!started) {
          free.release();
        }
      }
      // What was queued while this thread held the permit has perhaps found no other one.
      if (!started && waiting.isEmpty()) {
        return;
      }
    }
  }

  private boolean start(Work work) {
    try {
      workers.execute(() -> run(work));
      return true;
    } catch (TaskRejectedException stopped) {
      drop(work);
      work.rejected().run();
      return false;
    }
  }

  /** The result is complete once the worker is free again. */
  private void run(Work work) {
    Runnable completion = () -> work.result().cancel(false);
    try {
      if (work.goesOn().getAsBoolean()) {
        ClosingResult closed =
            Objects.requireNonNull(metrics.timer("palmares.closing").record(work.closing()));
        completion = () -> work.result().complete(closed);
      }
    } catch (Throwable e) { // If the period stayed queued, this process would never close it.
      completion = () -> work.result().completeExceptionally(e);
      if (!outages.noteRequest(e)) {
        LOG.error("closing failed period={}; it is tried again", work.period(), e);
      }
    } finally {
      queued.remove(work.period(), work.result());
      free.release();
    }
    completion.run();
    startNext();
  }

  private void startNext() {
    try {
      if (scheduler) {
        takeDue();
      } else {
        start(waiting::poll);
      }
    } catch (RuntimeException e) {
      LOG.debug("no other period is taken; the next round tries again", e);
    }
  }

  /** Callers that wait for a dropped closing must return. */
  private void drop(Work work) {
    waiting.remove(work);
    queued.remove(work.period(), work.result());
    work.result().cancel(false);
  }

  @Override
  public void start() {
    if (!isRunning()) {
      workers.initialize();
    }
  }

  /** Lets running closings end, and drops the queued ones, which schedulers take. */
  @Override
  public void stop() {
    workers.initiateShutdown();
    workers.shutdown();
    waiting.forEach(this::drop);
    // Callers that wait for a dropped closing must return.
    queued.values().forEach(result -> result.cancel(false));
    queued.clear();
  }

  /** Returns false as soon as the process stops. */
  @Override
  public boolean isRunning() {
    return !workers.getThreadPoolExecutor().isShutdown();
  }

  /** Stops before the connections to Redis do. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
