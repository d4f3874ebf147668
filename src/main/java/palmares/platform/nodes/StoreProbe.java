package palmares.platform.nodes;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Component;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.platform.sql.RefusedWrites;
import palmares.platform.sql.SessionPooling;
import palmares.platform.threads.BoundedCalls;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;

/**
 * Reports as metrics whether PostgreSQL and Redis answer this process, and whether they take its
 * writes. A full disk, a full memory and a replica answer, and refuse writes.
 */
@Component
public class StoreProbe {
  private static final Logger LOG = LoggerFactory.getLogger(StoreProbe.class);

  /** How many heartbeats after a refusal PostgreSQL counts as refusing writes: about a minute. */
  private static final int HEARTBEATS_AFTER_REFUSAL = 6;

  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final RedisClient redis;
  private final Nodes nodes;
  private final DataSource database;
  private final RefusedWrites refused;
  private final Outages outages;
  private final Store postgres;
  private final Store redisStore;
  private final BoundedCalls<String, Boolean> asked = new BoundedCalls<>("store-check", MAX_WAIT);

  /** Why the last write to Redis failed; null if it did not. */
  private volatile @Nullable Reason redisFailure;

  private volatile boolean sharesSessions;

  private long knownRefusals;
  private int beatsToWait;

  StoreProbe(
      RedisClient redis,
      Nodes nodes,
      DataSource database,
      RefusedWrites refused,
      Loops loops,
      MeterRegistry metrics) {
    this.database = database;
    this.outages = loops.outages();
    this.redis = redis;
    this.nodes = nodes;
    this.refused = refused;
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

  /**
   * Finds why Redis cannot be used now; empty if it can. Waits a second at most, and not at all
   * while a check hangs. Whether Redis takes writes is known from the last heartbeat.
   */
  public Optional<Reason> redisFailure() {
    try {
      return asked
          .call(
              "redis",
              () -> {
                if (redisFailure == null) {
                  redis.ping();
                } else {
                  probeRedis();
                }
                return true;
              })
          .map(answered -> Optional.ofNullable(redisFailure))
          .orElse(Optional.of(Reason.NO_ANSWER));
    } catch (RedisUnavailable e) {
      return Optional.of(e.reason());
    }
  }

  /** Whether PostgreSQL answers now. Waits as {@link #redisFailure()} does. */
  public boolean postgresAnswers() {
    try {
      return asked
          .call(
              "postgresql",
              () -> {
                nodes.ping();
                return true;
              })
          .orElse(false);
    } catch (DataAccessException e) {
      return false;
    }
  }

  /** Checks at a heartbeat whether Redis answers, and takes what Palmares writes. */
  public void checkRedis() {
    boolean answers = false;
    try {
      redis.ping();
      answers = true;
      probeRedis();
      redisStore.set(true, true);
    } catch (RedisUnavailable e) {
      outages.noteRequest(e);
      redisFailure = e.reason();
      redisStore.set(answers, false);
    }
  }

  private void probeRedis() {
    redis.probe();
    redisFailure = null;
  }

  /**
   * Checks PostgreSQL by the heartbeat of this server, and by what it refused since the last one. A
   * heartbeat updates one row in place, which a server whose disk is full may still do.
   *
   * @throws RuntimeException if it does not answer, or refuses
   */
  public synchronized void beat() {
    try {
      nodes.beat(redisFailure);
      postgres.set(true, !isRefusing());
    } catch (RuntimeException e) {
      postgres.set(Outages.server(e).isEmpty(), false);
      throw e;
    }
  }

  /** Whether a connection pooler shared sessions of PostgreSQL at the last check. */
  public boolean sharesSessions() {
    return sharesSessions;
  }

  /**
   * Checks whether a connection pooler shares sessions of PostgreSQL: its settings may change while
   * this process runs.
   *
   * @throws DataAccessException if PostgreSQL does not answer
   */
  public void checkSessions() {
    boolean before = sharesSessions;
    try {
      sharesSessions = SessionPooling.isShared(database);
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("sessions cannot be checked", e);
    }
    if (sharesSessions && !before) {
      LOG.error("{}: {}", SessionPooling.PROBLEM, SessionPooling.REMEDY);
    } else if (before && !sharesSessions) {
      LOG.info("no connection pooler shares sessions of PostgreSQL any more");
    }
  }

  private boolean isRefusing() {
    long refusals = refused.count();
    beatsToWait =
        refusals == knownRefusals ? Math.max(0, beatsToWait - 1) : HEARTBEATS_AFTER_REFUSAL;
    knownRefusals = refusals;
    return beatsToWait > 0;
  }
}
