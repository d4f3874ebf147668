package palmares.settlement.closing;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;

/** Runs closings in parallel, a few at a time. A period that is queued is not queued twice. */
@Component
public class ClosingQueue implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(ClosingQueue.class);

  /** More than there are cores: a small closing mostly waits for commits to reach the disk. */
  private static final int MAX_CONCURRENT_CLOSINGS = 6;

  private static final int SHUTDOWN_TIMEOUT_SECONDS = 20;

  private final Closings closings;
  private final Outages outages;
  private final MeterRegistry metrics;
  private final Map<PeriodId, CompletableFuture<ClosingResult>> queued = new ConcurrentHashMap<>();
  private final ThreadPoolTaskExecutor workers = new ThreadPoolTaskExecutor();

  ClosingQueue(Closings closings, Loops loops, MeterRegistry metrics) {
    this.closings = closings;
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
    var result = new CompletableFuture<ClosingResult>();
    CompletableFuture<ClosingResult> former = queued.putIfAbsent(period, result);
    if (former != null) {
      return former;
    }
    try {
      workers.execute(() -> run(period, cause, goesOn, result));
    } catch (RejectedExecutionException e) {
      queued.remove(period);
      result.completeExceptionally(e);
    }
    return result;
  }

  private void run(
      PeriodId period,
      ClosingCause cause,
      BooleanSupplier goesOn,
      CompletableFuture<ClosingResult> result) {
    try {
      if (!goesOn.getAsBoolean()) {
        queued.remove(period);
        result.cancel(false);
        return;
      }
      ClosingResult closed =
          Objects.requireNonNull(
              metrics
                  .timer("palmares.closing")
                  .record(() -> closings.close(period, cause, step -> {})));
      queued.remove(period);
      result.complete(closed);
    } catch (Throwable e) { // If the period stayed queued, this process would never close it.
      queued.remove(period);
      result.completeExceptionally(e);
      if (!outages.noteRequest(e)) {
        LOG.error("closing failed period={}; the next sweep resumes it", period, e);
      }
    }
  }

  @Override
  public void start() {
    if (!isRunning()) {
      workers.initialize();
    }
  }

  /** Lets running closings end, and drops the queued ones, which the next sweep finds. */
  @Override
  public void stop() {
    workers.initiateShutdown();
    workers.getThreadPoolExecutor().getQueue().clear();
    workers.shutdown();
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
