package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.cli.Called;
import tools.jackson.databind.json.JsonMapper;

/** Calls the command on embedded servers in a temporary folder. */
class BenchConsoleTest {
  @TempDir private Path folder;

  /** The command itself checks each page. */
  @Test
  void pagesOfASettledPeriodAreMeasuredAgainstTheApi() throws IOException {
    Path json = folder.resolve("console.json");
    Called called =
        BenchCall.starting(
            "console",
            "--members",
            "300",
            "--requests",
            "5",
            "--json",
            json.toString(),
            "--data",
            folder.resolve("bench").toString(),
            "-D",
            "palmares.infra=embedded");
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.out()).contains("the page around a member, 300 members");
    Map<?, ?> figures = JsonMapper.shared().readValue(json.toFile(), Map.class);
    assertThat(figures.keySet().stream().map(Object::toString))
        .contains(
            "console_first_ms",
            "console_search_ms",
            "console_jump_ms",
            "console_api_ms",
            "console_against_api");
  }
}
