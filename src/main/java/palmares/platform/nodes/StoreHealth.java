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
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.platform.threads.HealthSentences;

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
        return down(new HealthSentences.NoDatabase());
      }
      return stores.sharesSessions()
          ? down(new HealthSentences.SharedSessions())
          : Health.up().build();
    };
  }

  private static Health down(Sentence why) {
    return Health.down().withDetail("error", Texts.here().of(why)).build();
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
      Health.Builder health =
          Health.status(isDown(outages, stores.redisMasters()) ? Status.DOWN : WARN)
              .withDetail("servers", address.toString())
              .withDetail("error", Texts.here().of(reason.said()))
              .withDetail("reason", reason.word());
      List<String> nodes =
          outages.stream().map(NodeOutage::node).filter(node -> !node.isEmpty()).toList();
      return nodes.isEmpty() ? health.build() : health.withDetail("nodes", nodes).build();
    };
  }

  /** Whether no master can be used; an outage without a node is one of all of them. */
  static boolean isDown(List<NodeOutage> outages, int masters) {
    boolean isOfAll =
        outages.size() >= masters || outages.stream().anyMatch(each -> each.node().isEmpty());
    return isOfAll && outages.stream().anyMatch(each -> each.reason().isUnusable());
  }
}
