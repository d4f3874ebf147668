package palmares.platform.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import palmares.Palmares;
import palmares.api.identity.ApiKeys;
import palmares.testing.Api;
import palmares.testing.WorldTest;

/** A server that is stopped leaves readiness first, and refuses requests only afterwards. */
@WorldTest
class ShutdownDelayTest {
  private static final String EVENT = "{'id': 'e', 'member': 'ann', 'action': 'comment'}";

  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private DataRedisConnectionDetails redis;

  private final Map<String, Object> seen = new LinkedHashMap<>();

  @Test
  void aStoppedServerIsNotReadyWhileItStillTakesRequests() throws Exception {
    ConfigurableApplicationContext server = start();
    String key = Api.key(server.getBean(ApiKeys.class), "drain");
    int port = port(server, "local.server.port");
    int management = port(server, "local.management.port");
    var api = new Api(port, key);
    assertThat(status(management)).isEqualTo(200);
    duringDrain =
        time -> {
          seen.put("drain time", time);
          seen.put("readiness", status(management));
          seen.put("event", api.post(EVENT).status());
        };
    server.close();
    assertThat(seen)
        .isEqualTo(Map.of("drain time", Duration.ofSeconds(20), "readiness", 503, "event", 200));
    assertThatThrownBy(() -> status(management)).isInstanceOf(ConnectException.class);
    assertThatThrownBy(() -> status(port)).isInstanceOf(ConnectException.class);
  }

  private interface Work {
    void during(Duration time) throws Exception;
  }

  private Work duringDrain = time -> {};

  private ConfigurableApplicationContext start() {
    var spring = new SpringApplication(Palmares.class);
    spring.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBean(ShutdownDelay.Pause.class, () -> this::drain));
    var node = Objects.requireNonNull(redis.getStandalone());
    return spring.run(
        "--server.port=0",
        "--management.server.port=0",
        "--palmares.server.drain-time=20s",
        "--palmares.infra=external",
        "--spring.datasource.url=" + postgres.getJdbcUrl(),
        "--spring.datasource.username=" + postgres.getUsername(),
        "--spring.datasource.password=" + postgres.getPassword(),
        "--spring.data.redis.host=" + node.getHost(),
        "--spring.data.redis.port=" + node.getPort(),
        "--spring.data.redis.password=" + Objects.toString(redis.getPassword(), ""));
  }

  private void drain(Duration time) {
    try {
      duringDrain.during(time);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static int port(ConfigurableApplicationContext server, String property) {
    return server.getEnvironment().getRequiredProperty(property, Integer.class);
  }

  private static int status(int port) throws IOException, InterruptedException {
    var readiness = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(readiness).build(), BodyHandlers.ofString())
        .statusCode();
  }
}
