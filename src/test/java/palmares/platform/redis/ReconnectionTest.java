package palmares.platform.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReconnectionTest {
  /** Requests to a dead node end once it is forgotten; while it has its slots, it is named. */
  @ParameterizedTest
  @CsvSource({
    "FAIL, false, false",
    "FAIL, true, true",
    "MASTER, false, true",
    "SLAVE, false, true"
  })
  void aDeadNodeIsForgottenOnceAnotherOneHasItsSlots(
      NodeFlag flag, boolean hasSlots, boolean isKept) {
    var options = ClusterClientOptions.builder();
    new Reconnection().replacedNodes().customize(options);
    var node = new RedisClusterNode();
    node.setFlags(Set.of(flag));
    node.setSlots(hasSlots ? List.of(7) : List.of());
    assertThat(options.build().getNodeFilter().test(node)).isEqualTo(isKept);
  }

  @Test
  void whoHasTheSlotsOfADeadNodeIsAskedEachSecond() {
    var options =
        ClusterClientOptions.builder()
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .dynamicRefreshSources(false)
                    .enablePeriodicRefresh(Duration.ofSeconds(7))
                    .disableAdaptiveRefreshTrigger(RefreshTrigger.ASK_REDIRECT)
                    .build());
    new Reconnection().replacedNodes().customize(options);
    ClusterTopologyRefreshOptions refresh = options.build().getTopologyRefreshOptions();
    assertThat(refresh.getAdaptiveRefreshTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(refresh.getAdaptiveRefreshTriggers())
        .contains(RefreshTrigger.PERSISTENT_RECONNECTS)
        .doesNotContain(RefreshTrigger.ASK_REDIRECT);
    assertThat(refresh.isPeriodicRefreshEnabled()).isTrue();
    assertThat(refresh.getRefreshPeriod()).isEqualTo(Duration.ofSeconds(7));
    assertThat(refresh.useDynamicRefreshSources()).isFalse();
  }
}
