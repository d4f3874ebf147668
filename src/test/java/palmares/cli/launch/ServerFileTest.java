package palmares.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.cli.terminal.UserError;
import palmares.platform.embedded.ProcessId;

/** How a command finds the server of a data folder. */
class ServerFileTest {
  private static final URI HERE = URI.create("http://127.0.0.1:8080/palmares");

  @TempDir Path data;

  private ServerFile written(String token) throws IOException {
    var file = ServerFile.of(data, HERE, token, "jdbc:postgresql://db/palmares?ssl=true");
    file.write();
    return file;
  }

  @Test
  void itIsReadAsItWasWrittenAndByItsOwnerOnly() throws IOException {
    assertThat(ServerFile.find(data)).isEmpty();
    var file = written("secret");
    assertThat(ServerFile.find(data)).contains(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.file())))
        .isEqualTo("rw-------");
    assertThat(data).isDirectoryContaining("glob:**/server.json");
    assertThat(Files.list(data)).hasSize(1);
    assertThat(file.toString()).doesNotContain("secret");
    file.delete();
    assertThat(data).isEmptyDirectory();
  }

  @Test
  void aServerDeletesItsOwnFileOnly() throws IOException {
    var former = written("former");
    var later = written("later");
    former.delete();
    assertThat(ServerFile.find(data)).contains(later);
  }

  @Test
  void theFileOfADeadServerIsNone() throws IOException {
    ProcessId here = ProcessId.current();
    var gone = new ProcessId(here.pid(), here.since().minus(Duration.ofMinutes(1)));
    new ServerFile(data.resolve("server.json"), gone, HERE, "secret", "jdbc:x").write();
    assertThat(ServerFile.find(data)).isEmpty();
  }

  @Test
  void aServerOnAnotherDatabaseIsNotTheOneThatIsMeant() throws IOException {
    var file = written("secret");
    assertThat(file.isOn("jdbc:postgresql://db/palmares?user=x")).isTrue();
    assertThat(file.isOn("jdbc:postgresql://db/other")).isFalse();
  }

  @Test
  void aFileThatNoServerWroteIsReported() throws IOException {
    for (String content : new String[] {"{", "{}", "[1]", "{\"pid\":\"x\"}"}) {
      Files.writeString(data.resolve("server.json"), content);
      assertThatThrownBy(() -> ServerFile.find(data))
          .as(content)
          .isInstanceOf(UserError.class)
          .hasMessageContaining("server.json is not what a server writes: delete it");
    }
  }
}
