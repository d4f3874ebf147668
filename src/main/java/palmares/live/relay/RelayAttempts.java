package palmares.live.relay;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;
import palmares.platform.infra.WorkPermit;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Setting;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;

/**
 * Relays committed events without failing the caller: an event that cannot be relayed now is
 * relayed later. Logs each obstacle once, and once when it is gone. One thread relays for all
 * callers; they wait for it only briefly, and not at all while Redis hangs.
 */
@Component
@EnableConfigurationProperties(RelayAttempts.RelaySettings.class)
public class RelayAttempts implements DisposableBean {
  private static final Logger LOG = LoggerFactory.getLogger(RelayAttempts.class);

  private static final Duration PAUSE_AFTER_OUTAGE = Duration.ofSeconds(1);

  /** Of a period, while a round takes long. Those after them are read. */
  private static final int MAX_FRESH_EVENTS = 5_000;

  private final Relay relay;
  private final WorkPermit permit;
  private final Outages outages;
  private final Map<PeriodId, String> loggedFailures = new ConcurrentHashMap<>();
  private final AtomicLong backlog = new AtomicLong();
  private volatile long pausedUntilNanos = System.nanoTime();

  /** Whether a caller waited in vain, and nothing was relayed since. */
  private volatile boolean redisHangs;

  private final Duration maxWait;
  private final ThreadPoolTaskExecutor rounds = new ThreadPoolTaskExecutor();
  private final Map<PeriodId, List<FreshEvent>> requested = new LinkedHashMap<>();
  private @Nullable CompletableFuture<Void> nextRound;

  RelayAttempts(
      Relay relay, RelaySettings settings, WorkPermit permit, Loops loops, MeterRegistry metrics) {
    this.relay = relay;
    this.permit = permit;
    this.outages = loops.outages();
    this.maxWait = settings.maxWait();
    rounds.setThreadNamePrefix("relay ");
    rounds.setDaemon(true);
    rounds.initialize(); // with one thread
    Gauge.builder("palmares.relay.backlog", backlog, AtomicLong::get)
        .description("committed events that are not relayed to their live board yet")
        .baseUnit("events")
        .register(metrics);
  }

  /**
   * Relays the events of these periods, unless Redis did not answer within the last second.
   *
   * @return whether Redis answered, and no other thread was relaying
   */
  public boolean relayNow(Collection<PeriodId> periods) {
    boolean relayed = true;
    for (PeriodId period : periods) {
      relayed &= attemptNow(period, List.of());
    }
    return relayed;
  }

  private boolean attemptNow(PeriodId period, List<FreshEvent> fresh) {
    if (System.nanoTime() - pausedUntilNanos < 0) {
      return false;
    }
    try {
      return attempt(period, () -> relay.relayNext(period, fresh));
    } catch (RuntimeException outage) {
      outages.noteRequest(outage);
      return !(outage instanceof RedisUnavailable);
    }
  }

  /** Relays the events of these periods on another thread, and waits for it only briefly. */
  public void relayBriefly(Collection<PeriodId> periods) {
    await(relayAsync(periods, List.of()));
  }

  /**
   * Relays the events of these periods on another thread; completed after an attempt.
   *
   * @param fresh events of these periods that were just committed, in the order of commits
   */
  synchronized CompletableFuture<Void> relayAsync(
      Collection<PeriodId> periods, List<FreshEvent> fresh) {
    if (periods.isEmpty() || rounds.getThreadPoolExecutor().isShutdown()) {
      return CompletableFuture.completedFuture(null);
    }
    periods.forEach(period -> requested.computeIfAbsent(period, none -> new ArrayList<>()));
    for (FreshEvent event : fresh) {
      List<FreshEvent> known = Objects.requireNonNull(requested.get(event.event().period()));
      if (known.size() < MAX_FRESH_EVENTS) {
        known.add(event);
      }
    }
    CompletableFuture<Void> round = nextRound;
    if (round == null) {
      round = new CompletableFuture<>();
      nextRound = round;
      rounds.execute(this::runRound);
    }
    return round;
  }

  /** Waits for an attempt, at most as long as the settings say, and not while Redis hangs. */
  void await(CompletableFuture<Void> attempt) {
    if (redisHangs) {
      return;
    }
    try {
      attempt.get(maxWait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      redisHangs = !attempt.isDone();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void runRound() {
    Map<PeriodId, List<FreshEvent>> periods;
    CompletableFuture<Void> round;
    synchronized (this) {
      periods = new LinkedHashMap<>(requested);
      round = Objects.requireNonNull(nextRound);
      requested.clear();
      nextRound = null;
    }
    try {
      boolean relayed = true;
      for (var period : periods.entrySet()) {
        relayed &= attemptNow(period.getKey(), period.getValue());
      }
      if (relayed) {
        redisHangs = false;
      }
    } finally {
      round.complete(null);
    }
  }

  /** Stops relaying. Events that are not relayed stay committed. */
  @Override
  public void destroy() {
    rounds.shutdown();
  }

  /**
   * Relays the events of all periods.
   *
   * @throws RuntimeException if a server does not answer; if it is a node of Redis, the events of
   *     the others are relayed
   */
  void relayAll() {
    long events = relay.backlog();
    backlog.set(events);
    if (events == 0) {
      return;
    }
    relay.forEachBehind(
        period ->
            attempt(
                period,
                () -> {
                  relay.relay(period);
                  return true;
                }));
    redisHangs = false;
  }

  /**
   * Makes an attempt. If a server does not answer, it throws; another failure of a period is
   * logged, so that other periods are still relayed.
   *
   * @param relaying returns false if another thread was relaying
   * @return what {@code relaying} returned; true if it failed
   */
  private boolean attempt(PeriodId period, BooleanSupplier relaying) {
    try {
      permit.require();
      boolean done = relaying.getAsBoolean();
      if (done && loggedFailures.remove(period) != null) {
        LOG.info("committed events are relayed again period={}", period);
      }
      return done;
    } catch (RedisUnavailable e) {
      pausedUntilNanos = System.nanoTime() + PAUSE_AFTER_OUTAGE.toNanos();
      throw e;
    } catch (RuntimeException e) {
      if (Outages.server(e).isPresent()) {
        throw e;
      }
      log(period, e);
      return true;
    }
  }

  private void log(PeriodId period, RuntimeException failure) {
    String message = String.valueOf(failure.getMessage());
    if (!message.equals(loggedFailures.put(period, message))) {
      LOG.error("committed events not relayed, the relay retries period={}: {}", period, message);
    }
  }

  /** Relays committed events of all periods while a server runs. */
  @Component
  static class Relayer extends BackgroundLoop {
    Relayer(Loops loops, RelayAttempts attempts, RelaySettings settings) {
      super(loops, "relayer", settings.background(), goesOn -> attempts.relayAll());
    }
  }

  /**
   * Settings of the relay.
   *
   * @param background whether this process relays all periods all the time, as a server does
   * @param answerWithin how long a caller that has committed waits for the live board before its
   *     events are answered as accepted. By default 300 milliseconds on a server, and ten seconds
   *     in a command
   */
  @ConfigurationProperties("palmares.relay")
  record RelaySettings(@DefaultValue("false") boolean background, @Nullable Duration answerWithin) {
    private static final Duration MAX_WAIT_WITH_RELAYER = Duration.ofMillis(300);
    private static final Duration MAX_WAIT_WITHOUT_RELAYER = Duration.ofSeconds(10);

    RelaySettings {
      if (answerWithin != null) {
        new Setting("palmares.relay.answer-within").requireAtLeast(Duration.ZERO, answerWithin);
      }
    }

    Duration maxWait() {
      if (answerWithin != null) {
        return answerWithin;
      }
      return background ? MAX_WAIT_WITH_RELAYER : MAX_WAIT_WITHOUT_RELAYER;
    }
  }
}
