package palmares.platform.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.infra.EmbeddedInfra.EmbeddedSettings;
import palmares.platform.threads.Loops;
import palmares.testing.Processes;

@Timeout(120)
class EarlyServersTest {
  @TempDir private Path folder;

  private Path data;

  @BeforeEach
  void nameFolder() throws IOException {
    data = folder.toRealPath().resolve("data");
  }

  @Test
  void serversAreStoppedIfTheApplicationFailsDuringTheirStart() {
    start("palmares.purpose=server", "palmares.infra=embedded")
        .withBean(Broken.class)
        .run(context -> assertThat(context).getFailure().hasMessageContaining("on purpose"));
    assertThat(data.resolve("postgres/PG_VERSION")).as("the servers had been starting").exists();
    assertThat(data.resolve("postgres/postmaster.pid")).doesNotExist();
    assertThat(Processes.naming(data)).isEmpty();
  }

  @Test
  void theApplicationUsesTheServersThatStartedEarlyAndStopsThem() {
    start("palmares.purpose=server", "palmares.infra=embedded")
        .withUserConfiguration(EmbeddedInfra.class)
        .withBean(
            Loops.class,
            () -> new Loops(new SimpleMeterRegistry(), new Loops.Settings(Duration.ofSeconds(30))))
        .run(
            context -> {
              EmbeddedServers early = context.getBean(StartingServers.class).await();
              assertThat(context.getBean(EmbeddedServers.class)).isSameAs(early);
              assertThat(Processes.naming(data))
                  .anyMatch(line -> line.contains("redis-server"))
                  .anyMatch(line -> line.contains("bin/postgres -D"));
            });
    assertThat(Processes.naming(data)).isEmpty();
  }

  @Test
  void serversStartEarlyOnlyForAPurposeAndIfEmbedded() {
    startsNone("palmares.infra=embedded");
    startsNone("palmares.purpose=server", "palmares.infra=external");
    startsNone("palmares.purpose=server", "palmares.infra=no such thing");
    startsNone("palmares.purpose=server", "palmares.infra=", "spring.data.redis.host=redis");
    assertThat(data).doesNotExist();
  }

  @Test
  void awaitThrowsTheReasonOfAFailedStart() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    var starting = new StartingServers(new EmbeddedSettings(file.toString(), "server"));
    assertThatThrownBy(starting::await)
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContaining(file.toString());
    starting.destroy();
  }

  private void startsNone(String... properties) {
    start(properties).run(context -> assertThat(context).doesNotHaveBean(StartingServers.class));
  }

  private ApplicationContextRunner start(String... properties) {
    return new ApplicationContextRunner()
        .withInitializer(new EarlyServers())
        .withPropertyValues(properties)
        .withPropertyValues("palmares.data=" + data);
  }

  static final class Broken implements InitializingBean {
    @Override
    public void afterPropertiesSet() {
      throw new IllegalStateException("broken on purpose");
    }
  }
}
