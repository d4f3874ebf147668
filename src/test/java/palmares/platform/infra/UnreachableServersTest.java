package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.mock.env.MockEnvironment;
import palmares.platform.infra.RedisDurability.RedisAtStart;
import palmares.platform.redis.ConfiguredNodes;
import palmares.platform.redis.RedisAddress;
import palmares.platform.redis.RedisClient;
import palmares.platform.text.Texts;
import palmares.platform.threads.Outages;

class UnreachableServersTest {
  /** A reserved port, on which no server listens. */
  private static final int CLOSED_PORT = 1;

  private static final String URL = "jdbc:postgresql://127.0.0.1:1/palmares";

  @Test
  void anUnreachableRedisFailsTheStartAndIsNamed() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
        .withUserConfiguration(RedisClient.class)
        .withBean(RedisAddress.class)
        .withBean(ConfiguredNodes.class)
        .withBean(RedisAtStart.class)
        .withPropertyValues("spring.data.redis.port=" + CLOSED_PORT)
        .run(
            context -> {
              FailureAnalysis analysis =
                  explain(new ServersUnavailableAnalyzer(), context.getStartupFailure())
                      .orElseThrow();
              assertThat(analysis.getDescription())
                  .startsWith(
                      "Redis at localhost:1 cannot be used: Redis does not answer (Connection"
                          + " refused)");
              assertThat(analysis.getAction()).contains("spring.data.redis.*");
            });
  }

  @Test
  void anUnreachablePostgresFailsTheStartAndIsNamed() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class))
        .withBean(Schema.class)
        .withPropertyValues("spring.datasource.url=" + URL + "?password=secret")
        .run(
            context -> {
              FailureAnalysis analysis = postgres(context.getStartupFailure()).orElseThrow();
              assertThat(analysis.getDescription())
                  .startsWith(
                      "PostgreSQL at " + URL + " cannot be used: Connection to 127.0.0.1:1");
              assertThat(analysis.getAction()).contains("spring.datasource.url");
            });
  }

  @Test
  void aFailureOfThePoolNamesTheServerTheReasonAndTheRemedy() {
    SQLException driver = new SQLException("FATAL: database \"nodb\" does not exist", "3D000");
    PostgresUnavailable unavailable =
        PostgresUnavailable.of(URL + "?password=secret", new IllegalStateException("pool", driver));
    assertThat(Texts.english(unavailable.said()))
        .isEqualTo(
            "PostgreSQL at %s cannot be used: FATAL: database \"nodb\" does not exist. Create the"
                    .formatted(URL)
                + " database, or correct its name in spring.datasource.url.");
    assertThat((Object) PostgresUnavailable.in(new IllegalStateException("close", unavailable)))
        .isSameAs(unavailable);
    assertThat(Outages.server(unavailable)).contains("PostgreSQL");
  }

  @Test
  void whatIsWrongAndItsRemedyAreInTheLanguageOfTheShell() {
    SQLException refused = new SQLException("FATAL: no such role", "28P01");
    LocaleContextHolder.setLocale(Locale.CHINESE);
    try {
      assertThat(Texts.english(PostgresUnavailable.of(URL, refused).said()))
          .isEqualTo(
              "PostgreSQL "
                  + URL
                  + " 无法使用：FATAL: no such role。请更正 spring.datasource.username 和"
                  + " spring.datasource.password，或在 pg_hba.conf 中允许该用户。");
      assertThat(postgres(refused).orElseThrow().getAction()).startsWith("请更正");
    } finally {
      LocaleContextHolder.resetLocaleContext();
    }
  }

  @Test
  void aRejectedPasswordIsExplained() {
    SQLException refused = new SQLException("password authentication failed", "28P01");
    assertThat(postgres(refused).orElseThrow().getAction()).contains("spring.datasource.password");
  }

  @Test
  void otherSqlErrorsAreNotAnalyzed() {
    assertThat(postgres(new SQLException("no such table", "42P01"))).isEmpty();
  }

  private static Optional<FailureAnalysis> postgres(@Nullable Throwable failure) {
    MockEnvironment environment = new MockEnvironment();
    environment.setProperty("spring.datasource.url", URL + "?password=secret");
    return explain(new PostgresUnavailableAnalyzer(environment), failure);
  }

  private static Optional<FailureAnalysis> explain(
      FailureAnalyzer analyzer, @Nullable Throwable failure) {
    return Optional.ofNullable(failure).map(analyzer::analyze);
  }
}
