package palmares.platform.nodes;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.stereotype.Component;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.threads.Outages;

/**
 * Reports as metrics whether PostgreSQL and Redis answer this process, and whether they take its
 * writes. A full disk, a full memory and a replica answer, and refuse writes.
 */
@Component
public class StoreProbe {
  private static final String KEY = "palmares:probe";
  private static final Duration TTL = Duration.ofMinutes(1);

  private final RedisClient redis;
  private final Nodes nodes;
  private final Store postgres;
  private final Store redisStore;

  StoreProbe(RedisClient redis, Nodes nodes, MeterRegistry metrics) {
    this.redis = redis;
    this.nodes = nodes;
    this.postgres = new Store("postgresql", metrics);
    this.redisStore = new Store("redis", metrics);
  }

  /** The last result for one store; NaN before the first. */
  private static final class Store {
    private volatile double up = Double.NaN;
    private volatile double writable = Double.NaN;

    Store(String name, MeterRegistry metrics) {
      Gauge.builder("palmares.store.up", () -> up)
          .description("1 if the store answers this process, else 0")
          .tag("store", name)
          .register(metrics);
      Gauge.builder("palmares.store.writable", () -> writable)
          .description("1 if the store takes a write of this process, else 0")
          .tag("store", name)
          .register(metrics);
    }

    void set(boolean answers, boolean takesWrites) {
      up = answers ? 1 : 0;
      writable = takesWrites ? 1 : 0;
    }
  }

  /** Checks Redis. */
  public void checkRedis() {
    boolean answers = false;
    try {
      redis.ping();
      answers = true;
      redis.write(KEY, ThisProcess.NAME, TTL);
      redisStore.set(true, true);
    } catch (RedisUnavailable e) {
      redisStore.set(answers, false);
    }
  }

  /**
   * Checks PostgreSQL by the heartbeat of this server.
   *
   * @throws RuntimeException if it does not answer, or refuses
   */
  public void beat() {
    try {
      nodes.beat();
      postgres.set(true, true);
    } catch (RuntimeException e) {
      postgres.set(Outages.server(e).isEmpty(), false);
      throw e;
    }
  }
}
