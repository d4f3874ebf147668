package palmares.platform.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import palmares.platform.nodes.StoreProbe.NodeOutage;
import palmares.platform.redis.RedisUnavailable.Reason;

/** Redis is down if none of its masters can be used; otherwise the boards of the others go on. */
class StoreHealthTest {
  private static final NodeOutage ONE = new NodeOutage("a:1", Reason.NO_ANSWER, null);
  private static final NodeOutage OTHER = new NodeOutage("b:2", Reason.OUT_OF_MEMORY, null);
  private static final NodeOutage ALL = new NodeOutage("", Reason.NO_ANSWER, null);

  @Test
  void aClusterIsDownIfAllItsMastersAre() {
    assertThat(StoreHealth.isDown(List.of(ONE), 2)).isFalse();
    assertThat(StoreHealth.isDown(List.of(ONE, OTHER), 2)).isTrue();
  }

  /** Such as when the check itself does not end. */
  @Test
  void anOutageOfNoCertainNodeIsOneOfAll() {
    assertThat(StoreHealth.isDown(List.of(ALL), 3)).isTrue();
  }
}
