package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.cli.Called;
import palmares.testing.Processes;
import tools.jackson.databind.json.JsonMapper;

/** Calls the command, which starts servers in other processes, in a temporary folder. */
class BenchStartTest {
  @TempDir private Path folder;

  /** The command itself checks that each server applies an event. */
  @Test
  void aServerIsStartedUntilItAnswersAndLeavesNoProcess() throws IOException {
    BenchCall.assumeMeasuring();
    Path json = folder.resolve("start.json");
    Path data = folder.resolve("bench");
    Called called =
        BenchCall.starting(
            "start", "--runs", "1", "--json", json.toString(), "--data", data.toString());
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.err()).contains("the server starts from classes of their own");
    assertThat(called.out()).contains("from start to ready, in seconds", "3.50 or less");
    Map<?, ?> figures = JsonMapper.shared().readValue(json.toFile(), Map.class);
    assertThat(figures.get("command")).isEqualTo("palmares-bench start --runs 1");
    assertThat(figures.get("from")).isEqualTo("classes of their own");
    assertThat(figures.keySet().stream().map(Object::toString))
        .contains("runs", "cores", "start_seconds", "start_event_seconds", "start_cpu_seconds");
    assertThat(Processes.naming(data)).isEmpty();
  }

  @Test
  void aFolderWithOtherDataIsNotTouched() throws IOException {
    Path theirs = Files.writeString(folder.resolve("theirs"), "of value");
    Called called = BenchCall.alone("start", "--data", folder.toString());
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains("contains data other than a bench's");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(theirs);
    }
  }
}
