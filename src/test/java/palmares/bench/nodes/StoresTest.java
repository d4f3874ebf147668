package palmares.bench.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.mock.env.MockEnvironment;
import palmares.bench.WrongResult;

class StoresTest {
  private static final JdbcConnectionDetails POSTGRES =
      new JdbcConnectionDetails() {
        @Override
        public String getUsername() {
          return "palmares";
        }

        @Override
        public String getPassword() {
          return "postgres secret";
        }

        @Override
        public String getJdbcUrl() {
          return "jdbc:postgresql://db.example/palmares?sslmode=require";
        }
      };

  private record Redis(@Nullable SslBundle bundle, List<Node> cluster)
      implements DataRedisConnectionDetails {
    @Override
    public String getUsername() {
      return "bench";
    }

    @Override
    public String getPassword() {
      return "redis secret";
    }

    @Override
    public Standalone getStandalone() {
      return Standalone.of("redis.example", 6380, 3);
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
      return bundle;
    }

    @Override
    public @Nullable Cluster getCluster() {
      return cluster.isEmpty() ? null : () -> cluster;
    }
  }

  private static Map<String, String> same(Redis redis) {
    return Stores.same(POSTGRES, redis, new MockEnvironment());
  }

  @Test
  void otherProcessesConnectAsThisOne() {
    assertThat(same(new Redis(null, List.of())))
        .containsEntry("spring.data.redis.host", "redis.example")
        .containsEntry("spring.data.redis.port", "6380")
        .containsEntry("spring.data.redis.database", "3")
        .containsEntry("spring.data.redis.username", "bench")
        .containsEntry("spring.data.redis.password", "redis secret")
        .containsEntry("spring.datasource.url", POSTGRES.getJdbcUrl())
        .containsEntry("spring.datasource.username", "palmares")
        .containsEntry("spring.datasource.password", "postgres secret");
  }

  @Test
  void whatOtherProcessesCannotConnectToIsRefused() {
    var secure = new Redis(SslBundle.of(SslStoreBundle.NONE), List.of());
    assertThatThrownBy(() -> same(secure))
        .isInstanceOf(WrongResult.class)
        .hasMessageContaining("name a Redis without TLS, or none");
    var plain = new Redis(null, List.of());
    var url = new MockEnvironment().withProperty("spring.data.redis.url", "rediss://a");
    assertThatThrownBy(() -> Stores.same(POSTGRES, plain, url))
        .isInstanceOf(WrongResult.class)
        .hasMessage("nodes cannot use spring.data.redis.url; set spring.data.redis.host");
    var cluster = new Redis(null, List.of(new DataRedisConnectionDetails.Node("a", 1)));
    assertThatThrownBy(() -> same(cluster))
        .isInstanceOf(WrongResult.class)
        .hasMessageContaining("compares a cluster with one Redis");
  }

  /** A board that takes no more events is out until the end of the writes. */
  @Test
  void anOutageThatDoesNotEndIsCounted() {
    var acknowledged = new TreeSet<>(List.of(10L, 12L, 20L, 21L));
    assertThat(Failover.longestGap(acknowledged, 22)).isEqualTo(8);
    assertThat(Failover.longestGap(acknowledged, 40)).isEqualTo(19);
  }
}
