package palmares.platform.nodes;

import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import palmares.platform.nodes.StoreProbe.NodeOutage;
import palmares.platform.redis.RedisAddress;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.platform.sql.SessionPooling;
import palmares.platform.text.Texts;

/**
 * Reports in the health check whether PostgreSQL and Redis can be used, within a second each.
 * Spring Boot's own indicators wait as long as a connection may take, and log each failure.
 */
@Configuration(proxyBeanMethods = false)
class StoreHealth {
  /** It answers reads rightly: a writer whose readiness were down would not serve them. */
  private static final Status WARN = new Status("WARN");

  @Bean
  HealthIndicator dbHealthIndicator(StoreProbe stores) {
    return () -> {
      if (!stores.postgresAnswers()) {
        return Health.down().withDetail("error", "PostgreSQL does not answer").build();
      }
      return stores.sharesSessions()
          ? Health.down().withDetail("error", SessionPooling.PROBLEM).build()
          : Health.up().build();
    };
  }

  /** If some masters of a cluster can be used, the boards of these go on. */
  @Bean
  HealthIndicator redisHealthIndicator(StoreProbe stores, RedisAddress address) {
    return () -> {
      List<NodeOutage> outages = stores.redisOutages();
      if (outages.isEmpty()) {
        return Health.up().withDetail("servers", address.toString()).build();
      }
      Reason reason = outages.get(0).reason();
      boolean isDown =
          outages.size() >= stores.redisMasters()
              && outages.stream().anyMatch(outage -> outage.reason().isUnusable());
      Health.Builder health =
          Health.status(isDown ? Status.DOWN : WARN)
              .withDetail("servers", address.toString())
              .withDetail("error", Texts.english(reason.said()))
              .withDetail("reason", reason.word());
      List<String> nodes =
          outages.stream().map(NodeOutage::node).filter(node -> !node.isEmpty()).toList();
      return nodes.isEmpty() ? health.build() : health.withDetail("nodes", nodes).build();
    };
  }
}
