package palmares.platform.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.api.identity.ApiKeys;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.WorldTest;

/** The health check reports loops, not servers: a writer is healthy during their outages. */
@WorldTest
class HealthTest {
  private static final String STUCK = "stuck";

  @Autowired private ApiKeys keys;
  @Autowired private Loops loops;
  @LocalServerPort private int port;

  @Test
  void healthNamesALoopThatDoesNotSucceed() {
    Api api = new Api(port, Api.key(keys, "health"));
    Answer healthy = api.get("/../../actuator/health");
    assertThat(healthy.status()).as(healthy.response().body()).isEqualTo(200);
    assertThat(healthy.response().body()).contains("\"loops\":{\"status\":\"UP\"}");
    loops.add(STUCK, Duration.ZERO);
    try {
      Answer unhealthy = api.get("/../../actuator/health");
      assertThat(unhealthy.status()).isEqualTo(503);
      assertThat(unhealthy.response().body()).contains("\"stuck\":\"no successful round for");
      assertThat(api.metric("palmares_loop_success_age_seconds{loop=\"stuck\"}")).isPositive();
    } finally {
      loops.remove(STUCK);
    }
  }
}
