package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.platform.embedded.EmbeddedServers;

/** Prints how psql and redis-cli connect to the embedded servers. */
class InfoCommandTest {
  private static final Pattern PSQL =
      Pattern.compile("PGPASSWORD=(\\S+) psql -h 127.0.0.1 -p (\\d+) -U palmares palmares");

  @TempDir Path folder;

  @Test
  void portsAndPasswordOfRunningServersArePrinted() {
    try (EmbeddedServers servers = EmbeddedServers.own(folder.resolve("data"), "server")) {
      Called info = Called.alone("info", "--data", folder.resolve("data").toString());
      assertThat(info.exitCode()).as(info.err()).isZero();
      MatchResult psql = PSQL.matcher(info.out()).results().findFirst().orElseThrow();
      assertThat(psql.group(1)).isEqualTo(servers.password());
      assertThat(servers.jdbcUrl()).contains(":" + psql.group(2) + "/");
      assertThat(info.out())
          .contains(
              "REDISCLI_AUTH=%s redis-cli -h 127.0.0.1 -p %d"
                  .formatted(servers.password(), servers.redisPort()));
    }
  }

  @Test
  void ifNoneRunNothingIsCreated() {
    Called info = Called.alone("info", "--data", folder.resolve("none").toString());
    assertThat(info.exitCode()).isEqualTo(1);
    assertThat(info.err()).contains("no embedded servers run in", "start a server there first");
    assertThat(folder.resolve("none")).doesNotExist();
  }
}
