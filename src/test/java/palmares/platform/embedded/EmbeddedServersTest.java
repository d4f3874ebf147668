package palmares.platform.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palmares.platform.embedded.EmbeddedServers.Access;

@Timeout(120)
class EmbeddedServersTest {
  private static final int ROWS = 1_000;
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  @TempDir static Path folder;

  /** One folder for all tests; each finds the data of those before it. */
  private static Path data;

  @BeforeAll
  static void nameFolder() {
    data = folder.resolve("data");
  }

  @Test
  void dataSurvivesARestart() {
    try (EmbeddedServers servers = EmbeddedServers.own(data, "server")) {
      new Content(servers).write(ROWS);
    }
    try (EmbeddedServers servers = EmbeddedServers.own(data, "server")) {
      assertThat(new Content(servers).rows()).isEqualTo(ROWS);
      assertThat(new Content(servers).members()).isEqualTo(ROWS);
    }
  }

  @Test
  void dataSurvivesTheKillOfTheOwner() throws Exception {
    try (OtherProcess owner = OtherProcess.opens(data, "server", ROWS)) {
      owner.kill();
    }
    ServerProcess orphan =
        ServerProcess.of(postmaster(), data.toRealPath().resolve("postgres")).orElseThrow();
    try (EmbeddedServers servers = EmbeddedServers.own(data, "server")) {
      assertThat(orphan.isAlive()).as("the orphaned PostgreSQL runs").isFalse();
      assertThat(new Content(servers).rows()).isEqualTo(ROWS);
      assertThat(new Content(servers).members()).isEqualTo(ROWS);
    }
  }

  @Test
  void aSecondServerIsRefusedWithTheNameOfTheOwner() throws Exception {
    try (OtherProcess owner = OtherProcess.opens(data, "server", 1)) {
      assertThatThrownBy(() -> EmbeddedServers.own(data, "server"))
          .isInstanceOf(ServersUnavailable.class)
          .hasMessageContaining("is already served by process %d (server)", owner.pid());
    }
  }

  /** Nobody knows when a server ends. */
  @Test
  void aCommandDoesNotWaitForAServer() throws Exception {
    try (OtherProcess owner = OtherProcess.opens(data, "server", 1)) {
      assertThatThrownBy(() -> EmbeddedServers.own(data, "close", Duration.ofHours(1)))
          .isInstanceOf(ServersUnavailable.class)
          .hasMessageContaining("is already served by process %d (server)", owner.pid());
    }
  }

  @Test
  void aCommandWaitsForTheEndOfAnother() throws Exception {
    try (OtherProcess owner = OtherProcess.opens(data, "import", ROWS)) {
      assertThatThrownBy(() -> EmbeddedServers.own(data, "close"))
          .hasMessageContaining("is already served by process %d (import)", owner.pid());
      CompletableFuture<EmbeddedServers> waiting =
          CompletableFuture.supplyAsync(
              () -> EmbeddedServers.own(data, "close", Duration.ofMinutes(2)));
      owner.finish();
      owner.awaitLine("closed");
      try (EmbeddedServers servers = waiting.join()) {
        assertThat(new Content(servers).rows()).isEqualTo(ROWS);
        assertThat(new Content(servers).members()).isEqualTo(ROWS);
      }
    }
    assertThat(postmaster()).doesNotExist();
  }

  @Test
  void serversAreDurableAndLocal() throws Exception {
    try (EmbeddedServers servers = EmbeddedServers.own(data, "server")) {
      Content content = new Content(servers);
      assertThat(content.setting("current_setting('fsync')")).isEqualTo("on");
      assertThat(content.setting("current_setting('synchronous_commit')")).isEqualTo("on");
      assertThat(content.setting("current_setting('full_page_writes')")).isEqualTo("on");
      assertThat(content.setting("current_setting('listen_addresses')")).isEqualTo("127.0.0.1");
      assertThat(content.redisSetting("appendonly")).isEqualTo("yes");
      assertThat(content.redisSetting("maxmemory-policy")).isEqualTo("noeviction");
      assertThat(content.redisSetting("bind")).isEqualTo("127.0.0.1");
      assertThat(Files.getPosixFilePermissions(data)).hasSize(3);
      assertThat(servers.describe())
          .contains("PostgreSQL 18", "Redis 7", data.toRealPath().toString());
    }
  }

  @Test
  void deadServersAreRestartedWithTheirData() throws Exception {
    try (EmbeddedServers servers = EmbeddedServers.own(data, "server")) {
      var content = new Content(servers);
      content.write(ROWS);
      assertThat(servers.restartDead()).isEmpty();
      Path root = data.toRealPath();
      ServerProcess postgres =
          ServerProcess.of(postmaster(), root.resolve("postgres")).orElseThrow();
      ServerProcess redis =
          ServerProcess.of(data.resolve("redis.pid"), root.resolve("redis.conf")).orElseThrow();
      redis.terminate(); // Writes all acknowledged data to the disk.
      ProcessHandle.of(postgres.pid()).ifPresent(ProcessHandle::destroyForcibly);
      assertThat(Polling.await(TEN_SECONDS, () -> !postgres.isAlive() && !redis.isAlive()))
          .isTrue();
      assertThat(servers.restartDead()).containsExactly("PostgreSQL", "Redis");
      assertThat(content.rows()).isEqualTo(ROWS);
      assertThat(content.members()).isEqualTo(ROWS);
      assertThat(servers.restartDead()).isEmpty();
    }
    assertThat(postmaster()).doesNotExist();
  }

  @Test
  void onlyTheOwnerMayReadTheFiles() throws Exception {
    try (EmbeddedServers servers = EmbeddedServers.own(data, "server")) {
      new Content(servers).write(ROWS);
      try (var files = Files.walk(data)) {
        assertThat(files.filter(file -> !Files.isSymbolicLink(file)))
            .hasSizeGreaterThan(100)
            .allSatisfy(
                file ->
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as("%s", file)
                        .endsWith("------"));
      }
    }
  }

  @Test
  void theConnectionDataOfRunningServersIsFound() {
    assertThat(EmbeddedServers.find(data)).isEmpty();
    try (EmbeddedServers servers = EmbeddedServers.own(data, "server")) {
      Access access = EmbeddedServers.find(data).orElseThrow();
      assertThat(servers.jdbcUrl())
          .endsWith("%s:%d/%s".formatted(access.host(), access.postgresPort(), access.database()));
      assertThat(access.user()).isEqualTo(servers.user());
      assertThat(access.redisPort()).isEqualTo(servers.redisPort());
      assertThat(access.password()).isEqualTo(servers.password());
      assertThat(access.description()).isEqualTo(servers.describe());
    }
    assertThat(EmbeddedServers.find(folder.resolve("nowhere"))).isEmpty();
  }

  private static Path postmaster() {
    return data.resolve("postgres/postmaster.pid");
  }
}
