package palmares.platform.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.UUID;
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
  private final boolean isServer;

  /** The last heartbeat of this process; empty before the first. */
  private volatile String last = "";

  RedisOwner(
      RedisAtStart redis,
      RedisClient client,
      JdbcClient jdbc,
      @Value("${palmares.signals.background:false}") boolean isServer) {
    this.redis = redis;
    this.client = client;
    this.jdbc = jdbc;
    this.isServer = isServer;
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
      requireOwn(own);
      if (isOfCopy(heartbeat())) {
        if (!isServer) {
          throw usedByCopy();
        }
        LOG.error("{}", usedByCopy().getMessage());
      } else {
        claim(own);
        requireOwn(own); // Another process may have claimed them first.
      }
    } catch (RedisUnavailable e) {
      LOG.warn("it is not known yet whose live boards Redis has: {}", e.getMessage());
    }
  }

  /**
   * Stores that this process runs, for a minute.
   *
   * @throws ServersUnavailable if the boards are those of another database, or of a copy
   */
  void serve() {
    String own = own();
    String next = UUID.randomUUID().toString();
    boolean isStored = false;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      requireOwn(own);
      String former = heartbeat();
      if (isOfCopy(former)) {
        throw usedByCopy();
      }
      claim(own);
      if (!isStored) {
        store(next);
        isStored = true;
      }
      if (replace(former, next)) {
        last = next;
        requireOwn(own); // Redis may have lost all, and another database may have claimed it first.
        return;
      }
    }
    throw usedByCopy();
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

  private void claim(String own) {
    client.command(
        commands -> commands.set(INSTALLATION, own.getBytes(UTF_8), SetArgs.Builder.nx()));
  }

  private void requireOwn(String own) {
    String owner = read(INSTALLATION);
    if (!owner.isEmpty() && !owner.equals(own)) {
      throw new ServersUnavailable(
          new StoreSentences.OfOtherDatabase(redis.address().toString(), owner, own),
          new StoreSentences.NameOtherRedis());
    }
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
