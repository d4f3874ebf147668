package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import palmares.Palmares;
import palmares.testing.Proxy;
import palmares.testing.WorldTest;

/** An outage is one line when it begins and one when it is over, however many notice it. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
class QuietOutageTest {
  /** By then the pool, Quartz, the drainer and the relayer have each failed several times. */
  private static final int ATTEMPTS = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(40);

  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private DataRedisConnectionDetails redis;

  private Proxy toPostgres;
  private ConfigurableApplicationContext application;

  @BeforeEach
  void aSchedulerBehindAProxy() throws IOException {
    String url = postgres.getJdbcUrl().replaceFirst("^.*?//", "");
    String[] address = url.split("[:/?]");
    toPostgres = Proxy.to(address[0], Integer.parseInt(address[1]));
    var node = Objects.requireNonNull(redis.getStandalone());
    application =
        new SpringApplicationBuilder(Palmares.class)
            .web(WebApplicationType.NONE)
            .run(
                "--palmares.journal.drain=true",
                "--palmares.relay.background=true",
                "--palmares.infra=external",
                "--spring.quartz.auto-startup=true",
                "--spring.quartz.properties.org.quartz.scheduler.instanceName=" + UUID.randomUUID(),
                "--spring.quartz.properties.org.quartz.jobStore.clusterCheckinInterval=500",
                "--spring.quartz.properties.org.quartz.jobStore.dbRetryInterval=500",
                "--spring.datasource.url=jdbc:postgresql://127.0.0.1:%d/%s"
                    .formatted(toPostgres.port(), address[2]),
                "--spring.datasource.username=" + postgres.getUsername(),
                "--spring.datasource.password=" + postgres.getPassword(),
                "--spring.datasource.hikari.connection-timeout=500",
                "--spring.datasource.hikari.validation-timeout=250",
                "--spring.data.redis.host=" + node.getHost(),
                "--spring.data.redis.port=" + node.getPort(),
                "--spring.data.redis.password=" + Objects.toString(redis.getPassword(), ""));
  }

  @AfterEach
  void stop() throws IOException {
    toPostgres.restore();
    application.close();
    toPostgres.close();
  }

  @Test
  void anOutageOfPostgresLogsOneLineAtItsBeginAndOneAtItsEnd(CapturedOutput output) {
    int before = lines(output).size();
    toPostgres.cut();
    await().atMost(PATIENCE).until(() -> toPostgres.turnedAway() >= ATTEMPTS);
    toPostgres.restore();
    await().atMost(PATIENCE).until(() -> output.getAll().contains("is available again after"));
    List<String> said = lines(output).subList(before, lines(output).size());
    assertThat(said).hasSize(2);
    assertThat(said.get(0)).contains("ERROR", "PostgreSQL is unavailable: ", "with back-off");
    assertThat(said.get(1)).contains("PostgreSQL is available again after");
  }

  private static List<String> lines(CapturedOutput output) {
    return output.getAll().lines().filter(line -> !line.isBlank()).toList();
  }
}
