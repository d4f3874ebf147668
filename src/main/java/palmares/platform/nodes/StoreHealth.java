package palmares.platform.nodes;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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

  @Bean
  HealthIndicator redisHealthIndicator(StoreProbe stores) {
    return () ->
        stores
            .redisFailure()
            .map(
                reason ->
                    Health.status(reason.isUnusable() ? Status.DOWN : WARN)
                        .withDetail("error", Texts.here().of(reason.said()))
                        .withDetail("reason", reason.word()))
            .orElseGet(Health::up)
            .build();
  }
}
