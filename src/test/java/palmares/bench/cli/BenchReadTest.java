package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.cli.Called;
import tools.jackson.databind.json.JsonMapper;

/** Calls the command on embedded servers in a temporary folder. */
class BenchReadTest {
  @TempDir private Path folder;

  /** The command itself checks every answer. */
  @Test
  void boardsOfEachRankMethodAreQueriedAtEachSize() throws IOException {
    Path json = folder.resolve("read.json");
    Called called =
        BenchCall.starting(
            "read",
            "--members",
            "200,500",
            "--queries",
            "20",
            "--runs",
            "1",
            "--json",
            json.toString(),
            "--data",
            folder.resolve("bench").toString(),
            "-D",
            "palmares.infra=embedded");
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.out()).contains("500 members / 200 members, at the worst");
    Map<?, ?> figures = JsonMapper.shared().readValue(json.toFile(), Map.class);
    assertThat(figures.get("members")).isEqualTo("200,500");
    assertThat(figures.get("queries")).isEqualTo(20);
    double growth = 0;
    for (String method : List.of("unique", "competition", "dense")) {
      for (String question : List.of("rank", "top", "around")) {
        String name = "read_%s_%s_us_".formatted(method, question);
        assertThat(figures.keySet().stream().map(Object::toString))
            .contains(name + 200, name + 500);
        growth =
            Math.max(growth, number(figures.get(name + 500)) / number(figures.get(name + 200)));
      }
    }
    assertThat(figures.get("read_growth")).isEqualTo(growth);
  }

  private static double number(@Nullable Object figures) {
    return ((Number) Objects.requireNonNull(figures)).doubleValue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --members 0            | --members is 1 or more, not 0
          --members 1000,1000    | --members names 1000 twice
          --members abc          | Invalid value for option '--members'
          --queries 0            | --queries is from 1 to 1000000, not 0
          --runs 0               | --runs is 1 or more, not 0
          """)
  void wrongOptionsAreRefusedBeforeTheApplicationStarts(String options, String complaint) {
    Called called = BenchCall.alone(("read " + options).split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(complaint);
  }
}
