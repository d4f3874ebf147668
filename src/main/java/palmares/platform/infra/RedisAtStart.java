package palmares.platform.infra;

import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.context.annotation.Lazy;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.threads.Outages;

/** Checks at start-up that Redis answers, because Spring connects only at the first use. */
@Component
@Lazy(false) // commands create other beans lazily
@ConditionalOnBooleanProperty(name = "palmares.redis-at-start", matchIfMissing = true)
record RedisAtStart(RedisConnectionFactory redis, DataRedisConnectionDetails details)
    implements InitializingBean {
  @Override
  public void afterPropertiesSet() {
    try (RedisConnection connection = redis.getConnection()) {
      connection.ping();
    } catch (DataAccessException e) {
      throw new ServersUnavailable(
          "Redis at %s cannot be used: %s.".formatted(address(), Outages.reason(e)),
          "Start it, or correct spring.data.redis.* (host, port, username, password).",
          e);
    }
  }

  String address() {
    if (details.getStandalone() != null) {
      return details.getStandalone().getHost() + ":" + details.getStandalone().getPort();
    }
    if (details.getSentinel() != null) {
      return "the sentinels " + list(details.getSentinel().getNodes());
    }
    return details.getCluster() != null
        ? "the cluster " + list(details.getCluster().getNodes())
        : "the configured address";
  }

  private static String list(Iterable<Node> nodes) {
    return StreamSupport.stream(nodes.spliterator(), false)
        .map(node -> node.host() + ":" + node.port())
        .collect(Collectors.joining(", "));
  }
}
