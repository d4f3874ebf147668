package palmares.platform.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.SetArgs;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
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
 * in Redis by the first process. Which cluster of PostgreSQL serves it is stored for a minute by
 * each heartbeat of a server, so that a copy is refused while servers of the original run.
 */
@Component
public class RedisOwner implements InitializingBean {
  private static final byte[] INSTALLATION = "palmares:installation".getBytes(UTF_8);
  private static final byte[] SERVED_BY = "palmares:served-by".getBytes(UTF_8);
  private static final Duration SERVED = Duration.ofMinutes(1);

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
    String own = installation();
    client.command(
        commands -> commands.set(INSTALLATION, own.getBytes(UTF_8), SetArgs.Builder.nx()));
    String owner = read(INSTALLATION);
    if (owner != null && !owner.equals(own)) {
      throw new ServersUnavailable(
          "%s has the live boards of another database: of installation %s, and this one is %s."
              .formatted(redis.address(), owner, own),
          "Name another Redis, or another of its databases (spring.data.redis.database). Only if"
              + " that database is gone for good, delete the key palmares:installation.");
    }
    String serving = read(SERVED_BY);
    String cluster = cluster();
    if (serving != null && !cluster.isEmpty() && !serving.equals(cluster)) {
      throw new ServersUnavailable(
          "%s is used by servers on a copy of this database, in the PostgreSQL with the identifier"
                  .formatted(redis.address())
              + " %s.".formatted(serving),
          "Stop them, and try again in a minute; or name another Redis.");
    }
  }

  /** Stores that a server runs, for a minute. */
  public void serve() {
    String cluster = cluster();
    if (!cluster.isEmpty()) {
      client.command(
          commands -> commands.set(SERVED_BY, cluster.getBytes(UTF_8), SetArgs.Builder.px(SERVED)));
    }
  }

  private @Nullable String read(byte[] key) {
    byte[] value = client.command(commands -> commands.get(key));
    return value == null ? null : new String(value, UTF_8);
  }

  private String installation() {
    return jdbc.sql("select id from installation").query(String.class).single();
  }

  /** The identifier of the cluster, which standbys share; empty if the server does not say it. */
  private String cluster() {
    return jdbc.sql("select split_part(wal_history(), '/', 1)").query(String.class).single();
  }
}
