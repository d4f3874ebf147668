package palmares.platform.nodes;

import java.util.function.BooleanSupplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Reports in the health check whether PostgreSQL and Redis answer, within a second each. Spring
 * Boot's own indicators wait as long as a connection may take, and log each failure.
 */
@Configuration(proxyBeanMethods = false)
class StoreHealth {
  @Bean
  HealthIndicator dbHealthIndicator(StoreProbe stores) {
    return indicator("PostgreSQL", stores::postgresAnswers);
  }

  @Bean
  HealthIndicator redisHealthIndicator(StoreProbe stores) {
    return indicator("Redis", stores::redisAnswers);
  }

  private static HealthIndicator indicator(String store, BooleanSupplier answers) {
    return () ->
        answers.getAsBoolean()
            ? Health.up().build()
            : Health.down().withDetail("error", store + " does not answer").build();
  }
}
