package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Properties {@code logging.*} in processes of their own, because Spring Boot sets up logging once
 * a process. They end soon, because their PostgreSQL does not answer or another setting is wrong.
 */
class LoggingSettingsTest {
  private record Ended(int exitCode, String err) {}

  @TempDir private Path folder;

  @BeforeEach
  void createBoard() throws IOException {
    Files.createDirectories(folder.resolve("jobs"));
    Files.writeString(folder.resolve("jobs/race.yml"), OnOwnApplication.RACE);
  }

  @Test
  void levelsFileAndFormatAreTheirs() throws Exception {
    Path log = folder.resolve("log/palmares.json");
    Ended ended =
        server(
            "logging.file.name=" + log,
            "logging.structured.format.file=ecs",
            "logging.level.org.springframework.boot=debug");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    List<String> lines = Files.readAllLines(log);
    assertThat(lines)
        .isNotEmpty()
        .allSatisfy(
            line -> {
              JsonNode event = JsonMapper.shared().readTree(line);
              assertThat(event.get("@timestamp").asString()).isNotEmpty();
              assertThat(event.at("/service/name").asString()).isEqualTo("palmares");
            });
    assertThat(lines).anyMatch(line -> line.contains("\"DEBUG\""));
  }

  @Test
  void aLogFileThatCannotBeWrittenIsReportedInOneLine() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "no folder");
    Ended ended = server("logging.file.name=" + file.resolve("palmares.log"), "server.port=70000");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(2);
    assertThat(ended.err().lines())
        .hasSize(3)
        .element(1)
        .asString()
        .contains("WARN", "the log file " + file, "cannot be written (", "standard error only");
  }

  @Test
  void aWrongLevelIsReportedInOneLine() throws Exception {
    Ended ended = server("logging.level.palmares=loud");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(2);
    assertThat(ended.err())
        .isEqualTo(
            "starting Palmares\n"
                + "palmares: logging.level.palmares is 'loud', and must be one of trace, debug,"
                + " info, warn, error, fatal, off (an option -D of this call)\n");
  }

  private Ended server(String... settings) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + File.separator + "bin/java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "palmares.Palmares",
                "server",
                "--jobs",
                folder.resolve("jobs").toString()));
    var all =
        new ArrayList<>(
            List.of(
                "palmares.infra=external",
                "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/palmares",
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=1"));
    all.addAll(List.of(settings));
    all.forEach(setting -> command.addAll(List.of("-D", setting)));
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(err.toFile()).start();
    process.getOutputStream().close();
    return new Ended(process.waitFor(), Files.readString(err));
  }
}
