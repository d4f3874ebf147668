package palmares.settlement.closing;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;

/** Runs closings side by side, a few at a time; a period that waits already is not queued twice. */
@Component
public class ClosingQueue implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(ClosingQueue.class);

  /** More than cores: a small closing mostly waits for commits to reach the disk. */
  private static final int WORKERS = 6;

  private static final int PATIENCE_SECONDS = 20;

  private final Closings closings;
  private final Outages outages;
  private final MeterRegistry metrics;
  private final Map<PeriodId, CompletableFuture<ClosingResult>> queued = new ConcurrentHashMap<>();
  private volatile ThreadPoolExecutor workers = pool();

  ClosingQueue(Closings closings, Loops loops, MeterRegistry metrics) {
    this.closings = closings;
    this.outages = loops.outages();
    this.metrics = metrics;
  }

  /**
   * Queues the periods in this order.
   *
   * @param cause who or what asks for it, for the record
   * @return what becomes of each, in the same order
   */
  public List<CompletableFuture<ClosingResult>> close(
      Collection<PeriodId> periods, ClosingCause cause) {
    return periods.stream().map(period -> enqueue(period, cause)).toList();
  }

  private CompletableFuture<ClosingResult> enqueue(PeriodId period, ClosingCause cause) {
    var fresh = new CompletableFuture<ClosingResult>();
    CompletableFuture<ClosingResult> waiting = queued.putIfAbsent(period, fresh);
    if (waiting != null) {
      return waiting;
    }
    try {
      workers.execute(() -> run(period, cause, fresh));
    } catch (RejectedExecutionException e) {
      queued.remove(period);
      fresh.completeExceptionally(e);
    }
    return fresh;
  }

  private void run(PeriodId period, ClosingCause cause, CompletableFuture<ClosingResult> waiting) {
    try {
      ClosingResult closed =
          Objects.requireNonNull(
              metrics
                  .timer("palmares.closing")
                  .record(() -> closings.close(period, cause, step -> {})));
      queued.remove(period);
      waiting.complete(closed);
    } catch (Throwable e) { // One that stayed queued would never be closed by this process.
      queued.remove(period);
      waiting.completeExceptionally(e);
      if (!outages.noteRequest(e)) {
        LOG.error("closing broke off period={}; the next sweep continues it", period, e);
      }
    }
  }

  private static ThreadPoolExecutor pool() {
    return (ThreadPoolExecutor) Executors.newFixedThreadPool(WORKERS);
  }

  @Override
  public void start() {
    if (workers.isShutdown()) {
      workers = pool();
    }
  }

  /** Lets the closings under way end, and drops the ones that wait: the next sweep finds them. */
  @Override
  public void stop() {
    workers.shutdown();
    workers.getQueue().clear();
    try {
      workers.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
      // Whoever waits for one that was dropped must not wait for ever.
      queued.values().forEach(waiting -> waiting.cancel(false));
      queued.clear();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** False from when the process is told to stop. */
  @Override
  public boolean isRunning() {
    return !workers.isShutdown();
  }

  /** Stops before the connections to Redis do. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }
}
