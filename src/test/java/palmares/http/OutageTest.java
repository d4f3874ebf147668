package palmares.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import palmares.Palmares;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Proxy;
import palmares.testing.World;
import palmares.testing.WorldTest;
import palmares.writer.ApiKeys;

/** A server that stops answering while we run: callers are told which, and to come again. */
@WorldTest
class OutageTest {
  private static final String EVENT = "{'id': '%s', 'member': 'ann', 'action': 'comment'}";

  @Autowired private World world;
  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private DataRedisConnectionDetails redis;

  private Proxy toPostgres;
  private Proxy toRedis;
  private ConfigurableApplicationContext application;
  private Api api;

  @BeforeEach
  void anApplicationBehindProxies() throws IOException {
    var url = JdbcAddress.of(postgres.getJdbcUrl());
    var node = Objects.requireNonNull(redis.getStandalone());
    toPostgres = Proxy.to(url.host(), url.port());
    toRedis = Proxy.to(node.getHost(), node.getPort());
    application =
        new SpringApplicationBuilder(Palmares.class)
            .web(WebApplicationType.SERVLET)
            .properties("server.port=0")
            .run(
                "--server.port=0",
                "--palmares.infra=external",
                "--spring.datasource.url=" + url.through(toPostgres.port()),
                "--spring.datasource.username=" + postgres.getUsername(),
                "--spring.datasource.password=" + postgres.getPassword(),
                "--spring.datasource.hikari.connection-timeout=500",
                "--spring.datasource.hikari.validation-timeout=250",
                "--spring.data.redis.host=127.0.0.1",
                "--spring.data.redis.port=" + toRedis.port(),
                "--spring.data.redis.password=" + Objects.toString(redis.getPassword(), ""),
                "--spring.data.redis.timeout=500ms");
    var server = ((WebServerApplicationContext) application).getWebServer();
    String key = application.getBean(ApiKeys.class).create("outage", Set.of());
    api = new Api(Objects.requireNonNull(server).getPort(), key);
    assertThat(world.now()).isNotNull();
    assertThat(api.post(EVENT.formatted("first")).status()).isEqualTo(200);
  }

  @AfterEach
  void stop() throws IOException {
    toPostgres.restore();
    toRedis.restore();
    application.close();
    toPostgres.close();
    toRedis.close();
  }

  @Test
  void withoutRedisCallersAreToldToRetryAndARetryCountsOnce() {
    toRedis.cut();
    assertUnavailable(api.post(EVENT.formatted("second")), "redis-unavailable");
    assertUnavailable(api.get("/boards/activity-daily/periods/current/top"), "redis-unavailable");
    toRedis.restore();
    assertEventually(EVENT.formatted("second"));
    assertThat(api.post(EVENT.formatted("second")).body().path("outcome").asString())
        .isEqualTo("duplicate");
  }

  @Test
  void withoutPostgresEventsOfOpenPeriodsCountAndQuestionsAreToldToRetry() {
    toPostgres.cut();
    assertThat(api.post(EVENT.formatted("third")).status()).isEqualTo(200);
    assertUnavailable(
        api.get("/boards/activity-daily/periods/current/top"), "database-unavailable");
    toPostgres.restore();
    await().until(() -> api.get("/boards/activity-daily/periods/current/top").status() == 200);
  }

  private void assertEventually(String event) {
    await().until(() -> api.post(event).status() == 200);
  }

  private static void assertUnavailable(Answer answer, String problem) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("urn:palmares:problem:" + problem);
    assertThat(answer.header("Retry-After")).isEqualTo("5");
  }

  /** Where a PostgreSQL URL leads. */
  private record JdbcAddress(String host, int port, String rest) {
    static JdbcAddress of(String url) {
      var uri = URI.create(url.substring("jdbc:".length()));
      return new JdbcAddress(
          uri.getHost(), uri.getPort(), url.substring(url.indexOf(uri.getRawPath())));
    }

    String through(int port) {
      return "jdbc:postgresql://127.0.0.1:" + port + rest;
    }
  }
}
