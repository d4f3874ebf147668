package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
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
