package palmares.platform.infra;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.threads.BackgroundLoop;
import palmares.platform.threads.Loops;

/**
 * Provides the embedded servers and their connection details as beans. Pools and clients depend on
 * the connection details, and these on the servers, so Spring closes the connections before it
 * stops the servers.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedInfra.OnEmbedded.class)
@EnableConfigurationProperties(EmbeddedInfra.EmbeddedSettings.class)
class EmbeddedInfra {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedInfra.class);

  @Bean
  EmbeddedServers embeddedServers(
      EmbeddedSettings settings,
      ObjectProvider<StartingServers> starting,
      ObjectProvider<StartProgress> progress) {
    progress.ifAvailable(
        shown -> shown.begins(new StoreSentences.StartsServers(settings.data().toString())));
    EmbeddedServers servers = starting.getIfAvailable(() -> new StartingServers(settings)).await();
    progress.ifAvailable(shown -> shown.begins(new StoreSentences.PreparesTables()));
    LOG.info("{}", servers.describe());
    return servers;
  }

  @Bean
  BackgroundLoop embeddedServersRestarter(Loops loops, EmbeddedServers servers) {
    return new BackgroundLoop(
        loops,
        "embedded servers",
        true,
        shouldContinue ->
            servers.restartDead().forEach(name -> LOG.warn("{} had died and was restarted", name)));
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

  static final class OnEmbedded implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return Infra.of(context.getEnvironment()) == Infra.EMBEDDED;
    }
  }

  /**
   * The settings of the embedded servers.
   *
   * @param data the data folder of the embedded servers, as --data
   * @param purpose of this process: {@code server} fails if another process owns the folder; any
   *     other purpose waits for the end of another command
   */
  @ConfigurationProperties("palmares")
  record EmbeddedSettings(
      @DefaultValue("./data") String data, @DefaultValue(EmbeddedServers.SERVER) String purpose) {}
}
