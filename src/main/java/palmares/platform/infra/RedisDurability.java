package palmares.platform.infra;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.context.annotation.Lazy;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.threads.Outages;

/** Warns at a writer's start if Redis may lose data by its settings, or fails the start. */
@Component
@ConditionalOnWebApplication
@ConditionalOnProperty(name = "palmares.writer.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RedisDurability.Settings.class)
record RedisDurability(RedisAtStart start, RedisConnectionFactory redis, Settings settings)
    implements InitializingBean {
  private static final Logger LOG = LoggerFactory.getLogger(RedisDurability.class);

  /**
   * The settings of a writer.
   *
   * @param requireDurable whether to fail the start if Redis may lose acknowledged events by its
   *     settings, or does not report them; otherwise a warning is logged
   */
  @ConfigurationProperties("palmares.writer")
  record Settings(@DefaultValue("false") boolean requireDurable) {}

  @Override
  public void afterPropertiesSet() {
    List<String> risks = risks();
    if (settings.requireDurable() && !risks.isEmpty()) {
      throw new ServersUnavailable(
          "Redis at %s %s.".formatted(start.address(), String.join(";\nit ", risks)),
          "Change these settings, or remove palmares.writer.require-durable to be warned only.");
    }
    risks.forEach(risk -> LOG.warn("Redis at {} {}", start.address(), risk));
  }

  private List<String> risks() {
    try (RedisConnection connection = redis.getConnection()) {
      return RedisSettings.read(connection).stream()
          .flatMap(server -> server.risks().stream())
          .toList();
    }
  }

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
}
