package palmares.relay;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import palmares.live.LiveUnavailable;
import palmares.period.PeriodId;

/**
 * Relays for those who will not fail if it cannot be: what was committed is safe, and is relayed
 * later. Says once what stands in the way, and once when it is gone.
 */
@Component
public class RelayAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(RelayAttempts.class);

  /** So long nobody waits for a Redis that did not answer. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final Relay relay;
  private final Map<PeriodId, String> troubles = new ConcurrentHashMap<>();
  private final AtomicLong waiting = new AtomicLong();
  private volatile long restsUntil = System.nanoTime();
  private volatile boolean outage;

  RelayAttempts(Relay relay, MeterRegistry metrics) {
    this.relay = relay;
    Gauge.builder("palmares.relay.waiting", waiting, AtomicLong::get)
        .description("events that are committed and that no live board has yet")
        .baseUnit("events")
        .register(metrics);
  }

  /** Relays what these periods have committed, unless Redis did not answer a moment ago. */
  public void now(Collection<PeriodId> periods) {
    for (PeriodId period : periods) {
      if (System.nanoTime() - restsUntil >= 0) {
        attempt(period, () -> relay.relaySome(period));
      }
    }
  }

  /** Relays whatever waits, of all periods. */
  void all() {
    try {
      waiting.set(relay.waiting());
      for (PeriodId period : relay.behind()) {
        if (!attempt(period, () -> relay.relay(period))) {
          return;
        }
      }
      outage = false;
    } catch (RuntimeException e) {
      if (!outage) {
        LOG.error("committed events wait until PostgreSQL answers again: {}", e.getMessage());
      }
      outage = true;
    }
  }

  /** Whether it makes sense to go on with other periods. */
  private boolean attempt(PeriodId period, Runnable relaying) {
    try {
      relaying.run();
      if (troubles.remove(period) != null) {
        LOG.info("relayed what had waited period={}", period);
      }
      return true;
    } catch (LiveUnavailable e) {
      restsUntil = System.nanoTime() + REST.toNanos();
      note(period, e);
      return false;
    } catch (RuntimeException e) {
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
