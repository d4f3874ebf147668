package palmares.platform.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.SetArgs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.infra.RedisDurability.RedisAtStart;
import palmares.platform.redis.LuaScript;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.redis.ScriptCall;

/**
 * Refuses a Redis that has the live boards of another database, because two databases would take
 * events out of each other's journals.
 *
 * <p>The number of the installation, which is in the database and goes with its copies, is stored
 * in Redis. Each heartbeat of a server stores a random number in both, in Redis for a minute. So a
 * copy of the database, which lacks the last ones, is recognised while servers of the original run.
 * A process knows its last one although a failover of PostgreSQL has lost it.
 */
@Component
public class RedisOwner implements InitializingBean {
  private static final LuaScript SERVE = LuaScript.read(RedisOwner.class, "serve.lua");

  private static final byte[] INSTALLATION = "palmares:installation".getBytes(UTF_8);
  private static final byte[] SERVED_BY = "palmares:served-by".getBytes(UTF_8);

  /** For this time after the last heartbeat no copy takes over. */
  static final Duration SERVED = Duration.ofMinutes(1);

  /** Those of many servers in a minute. */
  private static final int MAX_HEARTBEATS = 100;

  /** Others of the installation send theirs at the same time. */
  private static final int MAX_ATTEMPTS = 5;

  private static final Logger LOG = LoggerFactory.getLogger(RedisOwner.class);

  private final RedisAtStart redis;
  private final RedisClient client;
  private final JdbcClient jdbc;
  private final Clock clock;
  private final boolean isServer;

  /** The last heartbeat of this process; empty before the first, and since a copy ran. */
  private volatile String last = "";

  /** When nobody was last found to run on a copy. */
  private volatile Instant servedAt = Instant.EPOCH;

  /** The last heartbeat of a copy, and when it was first seen; null if this process runs since. */
  private volatile @Nullable Copy copy;

  private record Copy(String heartbeat, Instant since) {}

  RedisOwner(
      RedisAtStart redis,
      RedisClient client,
      JdbcClient jdbc,
      Clock clock,
      @Value("${palmares.signals.background:false}") boolean isServer) {
    this.redis = redis;
    this.client = client;
    this.jdbc = jdbc;
    this.clock = clock;
    this.isServer = isServer;
  }

  /** Whether this process sends heartbeats. */
  boolean isServer() {
    return isServer;
  }

  /**
   * Stores whose boards they are, unless it is stored. If that cannot be known yet, the process
   * starts, and {@link WorkPermit} keeps it from working; so does a server on a copy, because the
   * original may just have failed over to this database, or end within a minute.
   *
   * @throws ServersUnavailable if they are those of another database; or, if this process is no
   *     server, of another copy of this one
   */
  @Override
  public void afterPropertiesSet() {
    try {
      String own = own();
      boolean isClaimed = requireOwn(own);
      if (isOfCopy(heartbeat())) {
        if (!isServer) {
          throw usedByCopy();
        }
        LOG.error("{}", usedByCopy().getMessage());
      } else if (!isClaimed) {
        claim(own);
        requireOwn(own); // Another process may have claimed them first.
      }
    } catch (RedisUnavailable e) {
      LOG.warn("it is not known yet whose live boards Redis has: {}", e.getMessage());
    }
  }

  /**
   * Stores that this process runs, for a minute. If Redis refuses writes, what it answers to reads
   * still says whose boards they are and who runs.
   *
   * @throws ServersUnavailable if the boards are those of another database, or of a copy
   */
  void serve() {
    String own = own();
    String next = UUID.randomUUID().toString();
    if (Duration.between(servedAt, clock.instant()).abs().compareTo(SERVED) >= 0) {
      last = ""; // A copy may have run meanwhile.
    }
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      boolean isClaimed = requireOwn(own);
      String former = heartbeat();
      requireNoCopy(former);
      if (attempt > 0 && !former.isEmpty()) {
        return; // Another process of this installation has stored its heartbeat just now.
      }
      if (attempt == 0) {
        store(next);
      }
      if (hasServed(own, isClaimed, former, next)) {
        return;
      }
    }
    throw usedByCopy();
  }

  /** Returns false if another process has stored a heartbeat meanwhile. */
  private boolean hasServed(String own, boolean isClaimed, String former, String next) {
    try {
      if (!isClaimed) {
        claim(own);
      }
      if (!replace(former, next)) {
        return false;
      }
      last = next;
      servedAt = clock.instant();
      copy = null;
      requireOwn(own); // Redis may have lost all, and another database may have claimed it first.
      return true;
    } catch (RedisUnavailable e) {
      if (e.reason().isUnusable()) {
        throw e;
      }
      Copy known = copy;
      if (known != null) {
        noteCopy(known.heartbeat()); // It may work as this process does below.
      }
      if (last.isEmpty()) {
        throw e; // Nothing says that this process ran last.
      }
      servedAt = clock.instant();
      return true;
    }
  }

  /**
   * Requires that no copy runs. If Redis loses the heartbeat of one, what it was granted still
   * holds for a while.
   */
  private void requireNoCopy(String heartbeat) {
    Copy known = copy;
    if (isOfCopy(heartbeat)) {
      last = "";
      if (known == null || !known.heartbeat().equals(heartbeat)) {
        noteCopy(heartbeat);
      }
      throw usedByCopy();
    }
    if (known != null && heartbeat.isEmpty() && isRecent(known)) {
      throw usedByCopy();
    }
    if (!heartbeat.isEmpty()) {
      copy = null;
    }
  }

  private void noteCopy(String heartbeat) {
    copy = new Copy(heartbeat, clock.instant());
  }

  private boolean isRecent(Copy found) {
    return Duration.between(found.since(), clock.instant()).abs().compareTo(SERVED) < 0;
  }

  /** In PostgreSQL first, so that others of the installation know it. */
  private void store(String heartbeat) {
    jdbc.sql("update installation set heartbeats = (?::uuid || heartbeats)[1:?]")
        .params(heartbeat, MAX_HEARTBEATS)
        .update();
  }

  /** Stores a heartbeat in Redis, unless another process has stored one meanwhile. */
  private boolean replace(String former, String next) {
    return !client
        .run(SERVE, ScriptCall.on(SERVED_BY).with(former, next, SERVED.toMillis() + ""))
        .isEmpty();
  }

  /** Redis that is full refuses this even if the key exists. */
  private void claim(String own) {
    client.command(
        commands -> commands.set(INSTALLATION, own.getBytes(UTF_8), SetArgs.Builder.nx()));
  }

  /** Returns whether it is stored that the boards are those of this database. */
  private boolean requireOwn(String own) {
    String owner = read(INSTALLATION);
    if (!owner.isEmpty() && !owner.equals(own)) {
      throw new ServersUnavailable(
          new StoreSentences.OfOtherDatabase(redis.address().toString(), owner, own),
          new StoreSentences.NameOtherRedis());
    }
    return !owner.isEmpty();
  }

  private ServersUnavailable usedByCopy() {
    return new ServersUnavailable(
        new StoreSentences.OfCopy(redis.address().toString()), new StoreSentences.StopOther());
  }

  /** Returns the last heartbeat of any server; empty if there was none for a minute. */
  private String heartbeat() {
    return read(SERVED_BY);
  }

  private boolean isOfCopy(String heartbeat) {
    return !heartbeat.isEmpty() && !heartbeat.equals(last) && !has(heartbeat);
  }

  private String read(byte[] key) {
    byte[] value = client.command(commands -> commands.get(key));
    return value == null ? "" : new String(value, UTF_8);
  }

  private String own() {
    return jdbc.sql("select id from installation").query(String.class).single();
  }

  private boolean has(String heartbeat) {
    return jdbc.sql("select ? = any(heartbeats::text[]) from installation")
        .param(heartbeat)
        .query(Boolean.class)
        .single();
  }
}
