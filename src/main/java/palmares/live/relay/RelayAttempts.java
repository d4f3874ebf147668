package palmares.live.relay;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;

/**
 * Relays for those who will not fail if it cannot be: what was committed is safe, and is relayed
 * later. Says once what stands in the way, and once when it is gone. One thread relays for all who
 * have committed; they wait for it for a moment only, and not at all while Redis hangs.
 */
@Component
@EnableConfigurationProperties(RelaySettings.class)
public class RelayAttempts implements DisposableBean {
  private static final Logger LOG = LoggerFactory.getLogger(RelayAttempts.class);

  /** So long nobody waits for a Redis that did not answer. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final Relay relay;
  private final Outages outages;
  private final Map<PeriodId, String> troubles = new ConcurrentHashMap<>();
  private final AtomicLong waiting = new AtomicLong();
  private volatile long restsUntil = System.nanoTime();

  /** Somebody has waited in vain, and nothing was relayed since. */
  private volatile boolean hangs;

  private final Duration longestWait;
  private final ExecutorService rounds =
      Executors.newSingleThreadExecutor(
          work -> {
            var thread = new Thread(work, "relay");
            thread.setDaemon(true);
            return thread;
          });
  private final Set<PeriodId> asked = new LinkedHashSet<>();
  private @Nullable CompletableFuture<Void> next;

  RelayAttempts(Relay relay, RelaySettings settings, Loops loops, MeterRegistry metrics) {
    this.relay = relay;
    this.outages = loops.outages();
    this.longestWait = settings.longestWait();
    Gauge.builder("palmares.relay.waiting", waiting, AtomicLong::get)
        .description("events that are committed and that no live board has yet")
        .baseUnit("events")
        .register(metrics);
  }

  /**
   * Relays what these periods have committed, unless Redis did not answer a moment ago.
   *
   * @return whether Redis answers, and nobody else was relaying
   */
  public boolean now(Collection<PeriodId> periods) {
    boolean relayed = true;
    for (PeriodId period : periods) {
      relayed &= System.nanoTime() - restsUntil >= 0 && attemptNow(period);
    }
    return relayed;
  }

  private boolean attemptNow(PeriodId period) {
    try {
      return attempt(period, () -> relay.relaySome(period));
    } catch (RuntimeException outage) {
      outages.noteRequest(outage);
      return !(outage instanceof RedisUnavailable);
    }
  }

  /** As {@link #now}, for somebody who has committed and waits for a moment only. */
  public void shortly(Collection<PeriodId> periods) {
    await(soon(periods));
  }

  /** Relays on another thread what these periods have committed by now; completed once tried. */
  synchronized CompletableFuture<Void> soon(Collection<PeriodId> periods) {
    if (periods.isEmpty() || rounds.isShutdown()) {
      return CompletableFuture.completedFuture(null);
    }
    asked.addAll(periods);
    CompletableFuture<Void> round = next;
    if (round == null) {
      round = new CompletableFuture<>();
      next = round;
      rounds.execute(this::round);
    }
    return round;
  }

  /** Waits for an attempt, for a moment at most. */
  void await(CompletableFuture<Void> attempt) {
    if (hangs) {
      return;
    }
    try {
      attempt.get(longestWait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      hangs = !attempt.isDone();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void round() {
    List<PeriodId> periods;
    CompletableFuture<Void> round;
    synchronized (this) {
      periods = List.copyOf(asked);
      round = Objects.requireNonNull(next);
      asked.clear();
      next = null;
    }
    try {
      if (now(periods)) {
        hangs = false;
      }
    } finally {
      round.complete(null);
    }
  }

  /** What waits stays committed, for another process or the next start. */
  @Override
  public void destroy() {
    rounds.shutdownNow();
  }

  /**
   * Relays whatever waits, of all periods.
   *
   * @throws RuntimeException if a server does not answer
   */
  void all() {
    waiting.set(relay.waiting());
    for (PeriodId period : relay.behind()) {
      attempt(period, () -> relayAll(period));
    }
  }

  private boolean relayAll(PeriodId period) {
    relay.relay(period);
    return true;
  }

  /**
   * A period that cannot be relayed does not keep the others from it; the outage of a server does.
   *
   * @param relaying whether it had its turn
   * @return whether it had its turn
   */
  private boolean attempt(PeriodId period, BooleanSupplier relaying) {
    try {
      boolean done = relaying.getAsBoolean();
      if (done && troubles.remove(period) != null) {
        LOG.info("relayed what had waited period={}", period);
      }
      return done;
    } catch (RedisUnavailable e) {
      restsUntil = System.nanoTime() + REST.toNanos();
      throw e;
    } catch (RuntimeException e) {
      if (Outages.server(e).isPresent()) {
        throw e;
      }
      note(period, e);
      return true;
    }
  }

  private void note(PeriodId period, RuntimeException trouble) {
    String message = String.valueOf(trouble.getMessage());
    if (!message.equals(troubles.put(period, message))) {
      LOG.error("committed events wait, and are relayed later period={}: {}", period, message);
    }
  }
}
