package palmares.platform.infra;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;

/** Warns at a writer's start if Redis may lose data by its settings, or fails the start. */
@Component
@ConditionalOnWebApplication
@ConditionalOnProperty(name = "palmares.writer.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WriterSettings.class)
record RedisDurability(RedisAtStart start, RedisConnectionFactory redis, WriterSettings settings)
    implements InitializingBean {
  private static final Logger LOG = LoggerFactory.getLogger(RedisDurability.class);

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
}
