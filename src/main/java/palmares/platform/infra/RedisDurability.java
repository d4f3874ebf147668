package palmares.platform.infra;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.redis.ConfiguredNodes;
import palmares.platform.redis.RedisAddress;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
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
    List<Sentence> risks = risks();
    if (settings.requireDurable() && !risks.isEmpty()) {
      throw new ServersUnavailable(
          new StoreSentences.AtRisk(start.address().toString(), risks),
          new StoreSentences.RequiresDurable());
    }
    risks.forEach(risk -> LOG.warn("{}: {}", start.address(), Texts.english(risk)));
  }

  private List<Sentence> risks() {
    try (RedisConnection connection = redis.getConnection()) {
      return RedisSettings.read(connection).stream()
          .flatMap(server -> server.risks().stream())
          .toList();
    }
  }

  /**
   * Checks at start-up that Redis answers and allows its user what Palmares does, because Spring
   * connects only at the first use.
   */
  @Component
  record RedisAtStart(RedisClient client, RedisAddress address, ConfiguredNodes nodes)
      implements InitializingBean {
    @Override
    public void afterPropertiesSet() {
      if (address.namesOneNode()) {
        LOG.warn(
            "only one node is named of {}: no server can start while it is down; name at least two",
            address);
      }
      try {
        client.ping();
      } catch (RedisUnavailable e) {
        throw RedisTls.explain(address.toString(), e)
            .orElseGet(() -> unusable(e, new StoreSentences.CorrectRedis()));
      }
      nodes
          .ofOtherCluster()
          .ifPresent(
              node -> {
                throw new ServersUnavailable(
                    new StoreSentences.OfOtherCluster(address.toString(), node),
                    new StoreSentences.NameOneCluster());
              });
      try {
        client.probe();
      } catch (RedisUnavailable e) {
        if (isWrongSetting(e.reason())) {
          throw unusable(e, new StoreSentences.CorrectIt());
        }
        // The heartbeats report it; it may end, such as a failover, while this process runs.
      }
    }

    private ServersUnavailable unusable(RedisUnavailable failure, Sentence remedy) {
      Sentence why = Sentence.verbatim(Outages.reason(failure));
      return new ServersUnavailable(
          new StoreSentences.Unusable(address.toString(), why), remedy, failure);
    }

    private static boolean isWrongSetting(Reason reason) {
      return switch (reason) {
        case CLUSTER, FORBIDDEN, CROSS_SLOT -> true;
        case NO_ANSWER,
            LOADING,
            OUT_OF_MEMORY,
            REPLICA,
            CANNOT_SAVE,
            TOO_FEW_REPLICAS,
            CLUSTER_DOWN,
            SLOT_MOVING ->
            false;
      };
    }
  }
}
