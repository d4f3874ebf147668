package palmares.platform.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.SetArgs;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.infra.RedisDurability.RedisAtStart;
import palmares.platform.redis.RedisClient;

/**
 * Refuses a Redis that has the live boards of another database, because two databases would take
 * events out of each other's journals.
 *
 * <p>The number of the installation, which is in the database and goes with its copies, is stored
 * in Redis. Each heartbeat of a server stores a random number in both, in Redis for a minute. So a
 * copy of the database, which lacks the last ones, is recognised while servers of the original run.
 */
@Component
public class RedisOwner implements InitializingBean {
  private static final byte[] INSTALLATION = "palmares:installation".getBytes(UTF_8);
  private static final byte[] SERVED_BY = "palmares:served-by".getBytes(UTF_8);
  private static final Duration SERVED = Duration.ofMinutes(1);

  /** Those of many servers in a minute. */
  private static final int MAX_HEARTBEATS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(RedisOwner.class);

  private final RedisAtStart redis;
  private final RedisClient client;
  private final JdbcClient jdbc;

  RedisOwner(RedisAtStart redis, RedisClient client, JdbcClient jdbc) {
    this.redis = redis;
    this.client = client;
    this.jdbc = jdbc;
  }

  /**
   * Stores whose boards they are, unless it is stored.
   *
   * @throws ServersUnavailable if they are those of another database
   */
  @Override
  public void afterPropertiesSet() {
    String own = own();
    requireOwn(own);
    claim(own);
    requireOwn(own); // Another process may have claimed them first.
  }

  /** Stores that a server runs, for a minute, unless the boards are those of another database. */
  public void serve() {
    String own = own();
    try {
      requireOwn(own);
    } catch (ServersUnavailable e) {
      LOG.error("two databases use the same live boards: {}", e.getMessage());
      return;
    }
    claim(own);
    String heartbeat =
        jdbc.sql(
                """
                update installation
                set heartbeats = (gen_random_uuid() || heartbeats)[1:?]
                returning heartbeats[1]
                """)
            .param(MAX_HEARTBEATS)
            .query(String.class)
            .single();
    client.command(
        commands -> commands.set(SERVED_BY, heartbeat.getBytes(UTF_8), SetArgs.Builder.px(SERVED)));
  }

  private void claim(String own) {
    client.command(
        commands -> commands.set(INSTALLATION, own.getBytes(UTF_8), SetArgs.Builder.nx()));
  }

  private void requireOwn(String own) {
    String owner = read(INSTALLATION);
    if (owner != null && !owner.equals(own)) {
      throw new ServersUnavailable(
          new StoreSentences.OfOtherDatabase(redis.address().toString(), owner, own),
          new StoreSentences.NameOtherRedis());
    }
    String heartbeat = read(SERVED_BY);
    if (heartbeat != null && !has(heartbeat)) {
      throw new ServersUnavailable(
          new StoreSentences.OfCopy(redis.address().toString()), new StoreSentences.StopOther());
    }
  }

  private @Nullable String read(byte[] key) {
    byte[] value = client.command(commands -> commands.get(key));
    return value == null ? null : new String(value, UTF_8);
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
