package palmares.platform.redis;

import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures Lettuce so that requests reach Redis again as soon as it answers. */
@Configuration(proxyBeanMethods = false)
class Reconnection {
  private static final Duration MAX_DELAY = Duration.ofSeconds(2);

  /** Lettuce's own limit is half a minute, so that a promoted replica is found by chance. */
  private static final Duration LOOKS_AGAIN = Duration.ofSeconds(1);

  /** Lettuce's own delay grows to half a minute, in which Redis answers and requests still fail. */
  @Bean
  ClientResourcesBuilderCustomizer redisReconnectDelay() {
    return resources ->
        resources.reconnectDelay(
            Delay.exponential(Duration.ofMillis(10), MAX_DELAY, 2, TimeUnit.MILLISECONDS));
  }

  /**
   * Looks for who has the slots of a node each second while it cannot be reached, and forgets it
   * once another one has them. Otherwise requests that wait for it go on waiting until they time
   * out.
   */
  @Bean
  LettuceClientOptionsBuilderCustomizer replacedNodes() {
    return options -> {
      if (options instanceof ClusterClientOptions.Builder cluster) {
        cluster.nodeFilter(node -> !isReplaced(node));
        cluster.topologyRefreshOptions(looksAgain(cluster.build().getTopologyRefreshOptions()));
      }
    };
  }

  private static ClusterTopologyRefreshOptions looksAgain(ClusterTopologyRefreshOptions options) {
    ClusterTopologyRefreshOptions.Builder again =
        ClusterTopologyRefreshOptions.builder()
            .dynamicRefreshSources(options.useDynamicRefreshSources())
            .enablePeriodicRefresh(options.isPeriodicRefreshEnabled())
            .refreshPeriod(options.getRefreshPeriod())
            .adaptiveRefreshTriggersTimeout(LOOKS_AGAIN);
    Stream.of(RefreshTrigger.values())
        .filter(trigger -> !options.getAdaptiveRefreshTriggers().contains(trigger))
        .forEach(again::disableAdaptiveRefreshTrigger);
    return again.build();
  }

  private static boolean isReplaced(RedisClusterNode node) {
    return node.is(NodeFlag.FAIL) && node.getSlots().isEmpty();
  }
}
