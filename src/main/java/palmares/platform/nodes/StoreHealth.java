package palmares.platform.nodes;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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

  @Bean
  HealthIndicator redisHealthIndicator(StoreProbe stores) {
    return () ->
        stores
            .redisFailure()
            .map(
                reason ->
                    Health.status(reason.isUnusable() ? Status.DOWN : WARN)
                        .withDetail("error", Texts.english(reason.said()))
                        .withDetail("reason", reason.word()))
            .orElseGet(Health::up)
            .build();
  }
}
