package palmares.platform.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.WorldTest;

/** Health names the loops that do not succeed, and no server: a writer is well without them. */
@WorldTest
class HealthTest {
  private static final String STUCK = "stuck";

  @Autowired private Loops loops;
  @LocalServerPort private int port;

  @Test
  void aLoopThatDoesNotSucceedIsNamed() {
    Api api = new Api(port, null);
    Answer well = api.get("/../../actuator/health");
    assertThat(well.status()).as(well.response().body()).isEqualTo(200);
    assertThat(well.response().body()).contains("\"loops\":{\"status\":\"UP\"}");
    loops.add(STUCK, Duration.ZERO);
    try {
      Answer unwell = api.get("/../../actuator/health");
      assertThat(unwell.status()).isEqualTo(503);
      assertThat(unwell.response().body()).contains("\"stuck\":\"no successful round for");
      assertThat(api.metric("palmares_loop_success_age_seconds{loop=\"stuck\"}")).isPositive();
    } finally {
      loops.remove(STUCK);
    }
  }
}
