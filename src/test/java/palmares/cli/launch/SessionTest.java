package palmares.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.UserError;
import palmares.rules.boardfiles.Catalogue;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Which server a command calls. */
class SessionTest {
  private static final Map<String, String> SERVER =
      Map.of("PALMARES_URL", "https://palmares.example.org", "PALMARES_TOKEN", "pal_x_y");

  private static Session session(Map<String, String> environment, String... arguments) {
    var options = new CommonOptions(environment::get);
    new CommandLine(
            CommandSpec.create().addMixin("options", CommandSpec.forAnnotatedObject(options)))
        .parseArgs(arguments);
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    return new Session(
        new Terminal(InputStream.nullInputStream(), nowhere, nowhere, false, false),
        options,
        launch -> {
          throw new IllegalStateException("started here");
        });
  }

  private static void connect(Session session) {
    session.connect("application/json").close();
  }

  /** Else an act that has no way back would happen at the server of the environment. */
  @ParameterizedTest
  @CsvSource({
    "PALMARES_URL,     https://palmares.example.org, --data",
    "PALMARES_URL,     https://palmares.example.org, -D",
    "PALMARES_URL,     https://palmares.example.org, --jobs",
    "PALMARES_PROFILE, prod,                         --data"
  })
  void aServerOfTheEnvironmentAndAnOptionForThisProcessAreRefused(
      String variable, String value, String option) {
    Session session =
        session(Map.of(variable, value), option, option.equals("-D") ? "key=value" : "scratch");
    assertThatThrownBy(() -> connect(session))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(
            "%s names a server, and %s is for one of this machine".formatted(variable, option))
        .hasMessageContaining("env -u %s palmares".formatted(variable));
    assertThatThrownBy(session::isRemote).isInstanceOf(UserError.class);
  }

  @Test
  void aServerOfTheEnvironmentDoesItIfNothingElseIsNamed() {
    assertThat(session(SERVER).isRemote()).isTrue();
    assertThat(session(Map.of("PALMARES_URL", " "), "--data", "scratch").isRemote()).isFalse();
  }

  @Test
  void theServerOfTheFolderIsCalledUnlessTheCallSaysHowOneRuns(@TempDir Path data)
      throws IOException {
    var here = URI.create("http://127.0.0.1:1");
    ServerFile.of(data, here, "secret", "jdbc:postgresql://db/one?ssl=true").write();
    String folder = data.toString();
    connect(session(Map.of(), "--data", folder));
    connect(session(Map.of("PALMARES_DATA", folder)));
    connect(database("jdbc:postgresql://db/one", folder));
    for (Session other :
        List.of(
            session(Map.of(), "--data", folder, "-D", "key=value"),
            database("jdbc:postgresql://db/other", folder),
            session(Map.of(), "--data", data.resolve("none").toString()))) {
      assertThatThrownBy(() -> connect(other)).hasMessage("started here");
    }
  }

  private static Session database(String url, String folder) {
    return session(Map.of("SPRING_DATASOURCE_URL", url), "--data", folder);
  }

  @Test
  void whatAlwaysRunsHereIgnoresTheServerOfTheEnvironment() {
    Session session = session(SERVER, "--data", "scratch");
    assertThatThrownBy(() -> session.start(LaunchOptions.of("import"), new Catalogue(List.of())))
        .hasMessage("started here");
  }
}
