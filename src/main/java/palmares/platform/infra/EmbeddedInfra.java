package palmares.platform.infra;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/**
 * The embedded servers as beans. Whatever connects depends on the connection details, and these on
 * the servers, so Spring closes every pool and client before it stops the servers.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnEmbedded.class)
@EnableConfigurationProperties(EmbeddedSettings.class)
class EmbeddedInfra {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedInfra.class);

  @Bean
  EmbeddedServers embeddedServers(
      EmbeddedSettings settings, ObjectProvider<StartingServers> starting) {
    EmbeddedServers servers = starting.getIfAvailable(() -> new StartingServers(settings)).await();
    LOG.info("{}", servers.describe());
    return servers;
  }

  /** Starts servers again that have died. */
  @Bean
  BackgroundLoop embeddedServersKeeper(Loops loops, EmbeddedServers servers) {
    return new BackgroundLoop(
        loops,
        "embedded servers",
        servers.owns(),
        goesOn -> servers.revive().forEach(name -> LOG.warn("{} had died: started again", name)));
  }

  @Bean
  JdbcConnectionDetails embeddedPostgres(EmbeddedServers servers) {
    return new EmbeddedPostgres(servers);
  }

  @Bean
  DataRedisConnectionDetails embeddedRedis(EmbeddedServers servers) {
    return new EmbeddedRedis(servers);
  }

  private record EmbeddedPostgres(EmbeddedServers servers) implements JdbcConnectionDetails {
    @Override
    public String getUsername() {
      return servers.user();
    }

    @Override
    public String getPassword() {
      return servers.password();
    }

    @Override
    public String getJdbcUrl() {
      return servers.jdbcUrl();
    }
  }

  private record EmbeddedRedis(EmbeddedServers servers) implements DataRedisConnectionDetails {
    @Override
    public String getPassword() {
      return servers.password();
    }

    @Override
    public Standalone getStandalone() {
      return Standalone.of(servers.redisHost(), servers.redisPort());
    }
  }
}
