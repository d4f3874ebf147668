package palmares.testing;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** One container of each server for all contexts; Testcontainers removes them when the JVM ends. */
@TestConfiguration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "palmares.infra", havingValue = "containers")
class SharedContainers {
  @Bean
  @ServiceConnection
  PostgreSQLContainer postgresContainer() {
    return Started.POSTGRES;
  }

  @Bean
  @ServiceConnection(name = "redis")
  GenericContainer<?> redisContainer() {
    return Started.REDIS;
  }

  private static final class Started {
    static final PostgreSQLContainer POSTGRES = new LastingPostgres();
    static final LastingRedis REDIS = new LastingRedis();
  }

  /** Outlives the context that closes: the next one uses it too. */
  private static final class LastingPostgres extends PostgreSQLContainer {
    LastingPostgres() {
      super("postgres:18");
      // To compile a statement would take longer than to run it on a few rows; to analyze small
      // tables would only let all sessions plan their statements again.
      setCommand(
          "postgres",
          "-c",
          "fsync=off",
          "-c",
          "jit=off",
          "-c",
          "autovacuum_vacuum_threshold=5000",
          "-c",
          "autovacuum_analyze_threshold=50000");
    }

    @Override
    public void stop() {}
  }

  private static final class LastingRedis extends GenericContainer<LastingRedis> {
    LastingRedis() {
      super("redis:8");
      withExposedPorts(6379);
    }

    @Override
    public void stop() {}
  }
}
