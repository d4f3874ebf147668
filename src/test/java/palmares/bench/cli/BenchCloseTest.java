package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.cli.Called;
import tools.jackson.databind.json.JsonMapper;

/** Calls the command on embedded servers in a temporary folder. */
class BenchCloseTest {
  @TempDir private Path folder;

  /** The command itself compares the totals of all ways and verifies the period. */
  @Test
  void aClosingIsComparedWithItsFloorAndTheUsualWay() throws IOException {
    Path json = folder.resolve("close.json");
    Called called =
        BenchCall.starting(
            "close",
            "--members",
            "2000",
            "--runs",
            "1",
            "--json",
            json.toString(),
            "--data",
            folder.resolve("bench").toString(),
            "-D",
            "palmares.infra=embedded");
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.out()).contains("closing / floor", "usual way / closing");
    Map<?, ?> figures = JsonMapper.shared().readValue(json.toFile(), Map.class);
    assertThat(figures.get("members")).isEqualTo(2000);
    assertThat(figures.keySet().stream().map(Object::toString))
        .contains("runs", "seed", "cores", "heap_peak_mb", "redis_blocked_ms", "fixed_percent")
        .contains("close_seconds", "fill_seconds", "pay_seconds", "first_close_seconds")
        .contains("floor_seconds", "floor_read_seconds", "floor_copy_seconds")
        .contains("usual_seconds", "verify_seconds", "verify_over_close")
        .contains("redis_bytes_per_member", "redis_bytes_per_event", "event_bytes")
        .contains("postgres_bytes_per_member", "line_bytes_per_member");
    assertThat(ratio(figures, "close_seconds", "floor_seconds"))
        .isEqualTo(figures.get("close_over_floor"));
    assertThat(ratio(figures, "usual_seconds", "close_seconds"))
        .isEqualTo(figures.get("usual_over_close"));
  }

  /** A statement that is not pruned takes at least two locks for each period. */
  @Test
  void locksDoNotGrowWithAHistoryOfPeriodsInOwnTables() throws IOException {
    Path json = folder.resolve("history.json");
    Called called =
        BenchCall.starting(
            "close",
            "--history",
            "10",
            "--runs",
            "1",
            "--json",
            json.toString(),
            "--data",
            folder.resolve("bench").toString(),
            "-D",
            "palmares.infra=embedded");
    assertThat(called.exitCode()).as(called.err()).isZero();
    Map<?, ?> figures = JsonMapper.shared().readValue(json.toFile(), Map.class);
    for (String operation : List.of("close", "verify", "page", "line")) {
      String locks = "history_" + operation + "_locks_";
      assertThat(number(figures, locks + 10) - number(figures, locks + 1))
          .as(operation)
          .isLessThan(8);
    }
    assertThat(number(figures, "history_waits")).isZero();
  }

  private static double ratio(Map<?, ?> figures, String over, String under) {
    return number(figures, over) / number(figures, under);
  }

  private static double number(Map<?, ?> figures, String name) {
    return ((Number) Objects.requireNonNull(figures.get(name), name)).doubleValue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --members 0            | --members is 1 or more, not 0
          --members -5           | --members is 1 or more, not -5
          --members 1000,0       | --members is 1 or more, not 0
          --members 1000,1000    | --members names 1000 twice
          --members abc          | Invalid value for option '--members'
          --runs 0               | --runs is 1 or more, not 0
          --history 0            | --history is from 1 to 100000, not 0
          --history 5 --members 10,20 | --history takes one size of --members
          --against none.jar     | --against is a jar; there is no none.jar
          --usual --no-usual     | are mutually exclusive
          """)
  void wrongOptionsAreRefusedBeforeTheApplicationStarts(String options, String complaint) {
    Called called = BenchCall.alone(("close " + options).split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(complaint);
  }
}
