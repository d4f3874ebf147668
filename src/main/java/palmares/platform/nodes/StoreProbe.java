package palmares.platform.nodes;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Component;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisClient.ProbedMaster;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.platform.sql.RefusedWrites;
import palmares.platform.sql.SessionPooling;
import palmares.platform.text.Texts;
import palmares.platform.threads.BoundedCalls;
import palmares.platform.threads.HealthSentences;
import palmares.platform.threads.Loops;
import palmares.platform.threads.Outages;

/**
 * Reports as metrics whether PostgreSQL and Redis answer this process, and whether they take its
 * writes. A full disk, a full memory and a replica answer, and refuse writes.
 */
@Component
public class StoreProbe {
  private static final String UP = "palmares.store.up";
  private static final String UP_HELP = "1 if the store answers this process, else 0";
  private static final String WRITABLE = "palmares.store.writable";
  private static final String WRITABLE_HELP =
      "1 if the store takes a write of this process, else 0";

  private static final Logger LOG = LoggerFactory.getLogger(StoreProbe.class);

  /** How many heartbeats after a refusal PostgreSQL counts as refusing writes: about a minute. */
  private static final int HEARTBEATS_AFTER_REFUSAL = 6;

  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  /** For each node of a cluster, so that one that does not answer leaves time for the others. */
  private static final Duration MAX_WAIT_FOR_NODE = Duration.ofMillis(700);

  private static final Duration MAX_WAIT_AT_HEARTBEAT = Duration.ofSeconds(2);

  private final RedisClient redis;
  private final Nodes nodes;
  private final DataSource database;
  private final RefusedWrites refused;
  private final Outages outages;
  private final Store postgres;
  private final Clock clock;
  private final MultiGauge redisUp;
  private final MultiGauge redisWritable;
  private final BoundedCalls<String, Boolean> asked = new BoundedCalls<>("store-check", MAX_WAIT);

  /** The nodes of Redis that the last check could not use. */
  private volatile List<NodeOutage> redisOutages = List.of();

  private volatile int redisMasters = 1;

  private volatile boolean sharesSessions;

  private long knownRefusals;
  private int beatsToWait;

  StoreProbe(
      RedisClient redis,
      Nodes nodes,
      DataSource database,
      RefusedWrites refused,
      Loops loops,
      Clock clock,
      MeterRegistry metrics) {
    this.database = database;
    this.clock = clock;
    this.outages = loops.outages();
    this.redis = redis;
    this.nodes = nodes;
    this.refused = refused;
    this.postgres = new Store("postgresql", metrics);
    this.redisUp = MultiGauge.builder(UP).description(UP_HELP).register(metrics);
    this.redisWritable = MultiGauge.builder(WRITABLE).description(WRITABLE_HELP).register(metrics);
  }

  private static Tags tags(String store, String node) {
    return Tags.of("store", store, "node", node);
  }

  /** The last result for PostgreSQL; NaN before the first. */
  private static final class Store {
    private volatile double up = Double.NaN;
    private volatile double writable = Double.NaN;

    Store(String name, MeterRegistry metrics) {
      Gauge.builder(UP, () -> up).description(UP_HELP).tags(tags(name, "")).register(metrics);
      Gauge.builder(WRITABLE, () -> writable)
          .description(WRITABLE_HELP)
          .tags(tags(name, ""))
          .register(metrics);
    }

    void set(boolean answers, boolean takesWrites) {
      up = answers ? 1 : 0;
      writable = takesWrites ? 1 : 0;
    }
  }

  /**
   * A node of Redis that this process cannot use.
   *
   * @param node the address of a master of a cluster; empty for the only server, or all nodes
   * @param since when a heartbeat of this process found it first; null if none has
   */
  public record NodeOutage(String node, Reason reason, @Nullable Instant since) {}

  /**
   * Finds which nodes of Redis cannot be used now. Waits a second at most, and not at all while a
   * check hangs. Whether a single server takes writes is known from the last heartbeat.
   */
  public List<NodeOutage> redisOutages() {
    try {
      return asked
          .call(
              "redis",
              () -> {
                if (redisOutages.isEmpty() && !redis.isCluster()) {
                  redis.ping();
                } else {
                  probeRedis(MAX_WAIT_FOR_NODE);
                }
                return true;
              })
          .map(answered -> redisOutages)
          .orElseGet(() -> List.of(outage("", Reason.NO_ANSWER, null)));
    } catch (RedisUnavailable e) {
      return List.of(outage("", e.reason(), null));
    }
  }

  /** The number of servers that the last check of Redis has probed. */
  int redisMasters() {
    return redisMasters;
  }

  /** Whether PostgreSQL answers now. Waits as {@link #redisOutages()} does. */
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

  /** Checks at a heartbeat whether each node of Redis answers, and takes what Palmares writes. */
  public void checkRedis() {
    List<ProbedMaster> probed = probeRedis(MAX_WAIT_AT_HEARTBEAT);
    register(
        redisUp, probed, master -> master.failure().map(e -> e.reason().isAnswer()).orElse(true));
    register(redisWritable, probed, master -> master.failure().isEmpty());
  }

  private static void register(
      MultiGauge gauge, List<ProbedMaster> probed, Predicate<ProbedMaster> isGood) {
    gauge.register(
        probed.stream()
            .<Row<?>>map(
                master -> Row.of(tags("redis", master.node()), isGood.test(master) ? 1 : 0))
            .toList(),
        true);
  }

  private List<ProbedMaster> probeRedis(Duration maxWait) {
    List<ProbedMaster> probed = redis.probeMasters(maxWait);
    redisMasters = probed.size();
    Instant now = clock.instant();
    List<NodeOutage> before = redisOutages;
    redisOutages =
        probed.stream()
            .flatMap(
                master ->
                    master.failure().map(e -> outage(master.node(), e.reason(), now)).stream())
            .toList();
    log(before, redisOutages);
    probed.forEach(master -> master.failure().ifPresent(outages::noteRequest));
    return probed;
  }

  /** Logs which nodes of a cluster began or ceased to fail. */
  private static void log(List<NodeOutage> before, List<NodeOutage> now) {
    Map<String, NodeOutage> known = byNode(before);
    Map<String, NodeOutage> failing = byNode(now);
    failing.forEach(
        (node, outage) -> {
          if (!known.containsKey(node)) {
            LOG.error("node {}: {}", node, Texts.english(outage.reason().said()));
          }
        });
    known.keySet().stream()
        .filter(node -> !failing.containsKey(node))
        .forEach(node -> LOG.info("node {} of Redis can be used again, or is replaced", node));
  }

  private static Map<String, NodeOutage> byNode(List<NodeOutage> outages) {
    return outages.stream()
        .filter(outage -> !outage.node().isEmpty())
        .collect(Collectors.toMap(NodeOutage::node, outage -> outage));
  }

  /** Keeps the time of an outage that is known. */
  private NodeOutage outage(String node, Reason reason, @Nullable Instant now) {
    return redisOutages.stream()
        .filter(known -> known.node().equals(node))
        .findFirst()
        .map(known -> new NodeOutage(node, reason, known.since()))
        .orElseGet(() -> new NodeOutage(node, reason, now));
  }

  /**
   * Checks PostgreSQL by the heartbeat of this server, and by what it refused since the last one. A
   * heartbeat updates one row in place, which a server whose disk is full may still do.
   *
   * @throws RuntimeException if it does not answer, or refuses
   */
  public synchronized void beat() {
    try {
      nodes.beat(redisOutages.isEmpty() ? null : redisOutages.get(0).reason());
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
      LOG.error(
          "{}; {}",
          Texts.english(new HealthSentences.SharedSessions()),
          Texts.english(new HealthSentences.SetSessionPooling()));
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
