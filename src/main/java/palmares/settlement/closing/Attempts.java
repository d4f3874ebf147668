package palmares.settlement.closing;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;

/** Holds the attempts that run in this process: the steps of a job find their lease here. */
@Component
class Attempts implements DisposableBean {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);
  private static final Duration STORE_INTERVAL = Duration.ofSeconds(1);

  private final Runs runs;
  private final ThreadPoolTaskScheduler storing = new ThreadPoolTaskScheduler();
  private final Map<PeriodId, Attempt> running = new ConcurrentHashMap<>();

  Attempts(Runs runs) {
    this.runs = runs;
    storing.setThreadNamePrefix("progress of closings ");
    storing.setDaemon(true);
    storing.setRemoveOnCancelPolicy(true);
    storing.initialize();
  }

  void begin(Attempt attempt) {
    running.put(attempt.lease().period(), attempt);
  }

  void end(Attempt attempt) {
    running.remove(attempt.lease().period(), attempt);
  }

  /** The periods of the attempts that run in this process, although their leases may be lost. */
  Set<PeriodId> periods() {
    return Set.copyOf(running.keySet());
  }

  /** Stores the progress of an attempt each second, from now until the result is cancelled. */
  Future<?> storeProgress(RunProgress progress) {
    return storing.scheduleWithFixedDelay(
        () -> store(progress), storing.getClock().instant().plus(STORE_INTERVAL), STORE_INTERVAL);
  }

  private void store(RunProgress progress) {
    try {
      runs.store(progress);
    } catch (RuntimeException e) {
      LOG.debug("progress of run {} is not stored; the next second tries again", progress.run(), e);
    }
  }

  @Override
  public void destroy() {
    storing.shutdown();
  }

  /**
   * Finds the attempt to close a period.
   *
   * @throws IllegalStateException if something started the job without a lease
   */
  Attempt get(PeriodId period) {
    Attempt attempt = running.get(period);
    if (attempt == null) {
      throw new IllegalStateException(
          "the closing of period %s runs without a lease: close the period instead"
              .formatted(period));
    }
    return attempt;
  }
}
