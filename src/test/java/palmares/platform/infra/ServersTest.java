package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.text.Texts;
import palmares.testing.PalmaresTest;

@PalmaresTest
class ServersTest {
  @Autowired private JdbcClient jdbc;
  @Autowired private RedisConnectionFactory redis;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private ObjectProvider<EmbeddedServers> embedded;
  @Autowired private Environment environment;

  @Test
  void postgresHasASupportedVersion() {
    int version =
        jdbc.sql("SELECT current_setting('server_version_num')::int").query(Integer.class).single();
    assertThat(version).isGreaterThanOrEqualTo(15_00_00);
  }

  @Test
  void theDefaultSearchPathOfTheEmbeddedServerFindsTheTables() {
    assumeThat(Infra.of(environment)).isEqualTo(Infra.EMBEDDED);
    var plain =
        new DriverManagerDataSource(
            postgres.getJdbcUrl(),
            Objects.requireNonNull(postgres.getUsername()),
            Objects.requireNonNull(postgres.getPassword()));
    assertThat(JdbcClient.create(plain).sql("select current_schema()").query(String.class).single())
        .isEqualTo(Schema.NAME);
  }

  /** The driver says which side lacks TLS, and the remedy names the setting that has it. */
  @Test
  void aPostgresWithoutTlsIsRefusedByAUrlThatAsksForIt() {
    String url = postgres.getJdbcUrl();
    var demanding =
        new DriverManagerDataSource(
            url + (url.contains("?") ? "&" : "?") + "sslmode=require",
            Objects.requireNonNull(postgres.getUsername()),
            Objects.requireNonNull(postgres.getPassword()));
    assertThatThrownBy(demanding::getConnection)
        .satisfies(
            failure ->
                assertThat(Texts.english(PostgresUnavailable.of(url, failure).said()))
                    .contains("The server does not support SSL", "spring.datasource.url"));
  }

  @Test
  void redisAnswers() {
    try (RedisConnection connection = redis.getConnection()) {
      assertThat(connection.ping()).isEqualTo("PONG");
    }
  }

  @Test
  void theServersAreThoseOfTheConfiguredMode() {
    Optional<String> own = embedded.stream().map(EmbeddedServers::jdbcUrl).findFirst();
    switch (Infra.of(environment)) {
      case EMBEDDED -> assertThat(own).contains(postgres.getJdbcUrl());
      case EXTERNAL -> {
        assertThat(own).isEmpty();
        assertThat(postgres.getJdbcUrl())
            .isEqualTo(environment.getProperty("spring.datasource.url"));
      }
      case CONTAINERS -> {
        assertThat(own).isEmpty();
        assertThat(postgres.getClass().getName()).contains("Container");
      }
    }
  }
}
