package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import palmares.bench.cli.BenchCall.Measured;
import palmares.cli.Called;
import palmares.testing.PalmaresTest;

/** Calls the command on an empty database of the tests' servers. */
@PalmaresTest
class BenchReadTest {
  @TempDir private Path folder;
  @Autowired private ApplicationContext tests;

  /** The command itself checks every answer. */
  @Test
  void boardsOfEachRankMethodAreQueriedAtEachSize() {
    BenchCall.assumeMeasuring();
    Measured measured =
        BenchCall.measuring(tests, folder, "read --members 200,500 --queries 5 --runs 1");
    assertThat(measured.called().out()).contains("500 members / 200 members, at the worst");
    assertThat(measured.figures().get("members")).isEqualTo("200,500");
    assertThat(measured.figures().get("queries")).isEqualTo(5);
    double growth = 0;
    for (String method : List.of("unique", "competition", "dense")) {
      for (String question : List.of("rank", "top", "around")) {
        String name = "read_%s_%s_us_".formatted(method, question);
        assertThat(measured.figures().keySet()).contains(name + 200, name + 500);
        growth = Math.max(growth, measured.number(name + 500) / measured.number(name + 200));
      }
    }
    assertThat(measured.figures().get("read_growth")).isEqualTo(growth);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --members 0            | --members is 1 or more, not 0
          --members 1000,1000    | --members names 1000 twice
          --members abc          | --members is 'abc', and must be a whole number
          --queries 0            | --queries is from 1 to 1000000, not 0
          --runs 0               | --runs is 1 or more, not 0
          """)
  void wrongOptionsAreRefusedBeforeTheApplicationStarts(String options, String complaint) {
    Called called = BenchCall.alone(("read " + options).split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(complaint);
  }
}
