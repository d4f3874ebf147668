package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;
import palmares.platform.embedded.ServersUnavailable;

class InfraTest {
  private final MockEnvironment environment = new MockEnvironment();

  @Test
  void withoutConfiguredServersTheyAreEmbedded() {
    assertThat(Infra.of(environment)).isEqualTo(Infra.EMBEDDED);
  }

  @Test
  void withBothServersConfiguredTheyAreExternal() {
    environment.setProperty("spring.datasource.url", "jdbc:postgresql://db/palmares");
    environment.setProperty("spring.data.redis.cluster.nodes[0]", "redis:6379");
    assertThat(Infra.of(environment)).isEqualTo(Infra.EXTERNAL);
  }

  @Test
  void configuringOnlyOneServerIsRefusedWithTheMissingOne() {
    environment.setProperty("spring.data.redis.host", "redis");
    assertThatThrownBy(() -> Infra.of(environment))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContaining("no spring.datasource.url for PostgreSQL");
  }

  /** Spring would use the cluster, and ignore the host. */
  @ParameterizedTest
  @CsvSource({
    "spring.data.redis.host, spring.data.redis.cluster.nodes[0]",
    "spring.data.redis.host, spring.data.redis.cluster.nodes",
    "spring.data.redis.url, spring.data.redis.sentinel.master",
    "spring.data.redis.sentinel.master, spring.data.redis.cluster.nodes"
  })
  void severalKindsOfRedisAreRefusedByName(String one, String other) {
    environment.setProperty("spring.datasource.url", "jdbc:postgresql://db/palmares");
    environment.setProperty(one, "a");
    environment.setProperty(other, "b:6379");
    assertThatThrownBy(() -> Infra.of(environment))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContainingAll(one, other.replace("[0]", ""), "both set", "remove the others");
    environment.setProperty(one, "");
    assertThat(Infra.of(environment)).isEqualTo(Infra.EXTERNAL);
  }

  @Test
  void theInfraPropertyHasPrecedence() {
    environment.setProperty("spring.data.redis.host", "redis");
    environment.setProperty("palmares.infra", "Containers");
    assertThat(Infra.of(environment)).isEqualTo(Infra.CONTAINERS);
  }

  @Test
  void anUnknownInfraIsRefusedWithTheKnownOnes() {
    environment.setProperty("palmares.infra", "cloud");
    assertThatThrownBy(() -> Infra.of(environment))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContaining("'cloud', but must be embedded, external or containers");
  }
}
