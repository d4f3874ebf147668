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

/** Calls the command on an empty database, and on embedded servers in a temporary folder. */
@PalmaresTest
class BenchCloseTest {
  @TempDir private Path folder;
  @Autowired private ApplicationContext tests;

  /** The command itself compares the totals of all ways and verifies the period. */
  @Test
  void aClosingIsComparedWithItsFloorAndTheUsualWay() {
    Measured measured = BenchCall.measuring(tests, folder, "close --members 500 --runs 1");
    assertThat(measured.called().out()).contains("closing / floor", "usual way / closing");
    assertThat(measured.figures().get("members")).isEqualTo(500);
    assertThat(measured.figures().keySet())
        .contains("runs", "seed", "cores", "heap_peak_mb", "redis_blocked_ms", "fixed_percent")
        .contains("close_seconds", "fill_seconds", "pay_seconds", "first_close_seconds")
        .contains("floor_seconds", "floor_read_seconds", "floor_copy_seconds")
        .contains("usual_seconds", "verify_seconds", "verify_over_close")
        .contains("redis_bytes_per_member", "redis_bytes_per_event", "event_bytes")
        .contains("postgres_bytes_per_member", "line_bytes_per_member");
    assertThat(ratio(measured, "close_seconds", "floor_seconds"))
        .isEqualTo(measured.figures().get("close_over_floor"));
    assertThat(ratio(measured, "usual_seconds", "close_seconds"))
        .isEqualTo(measured.figures().get("usual_over_close"));
  }

  /** A statement that is not pruned takes at least two locks for each period, in its session. */
  @Test
  void locksDoNotGrowWithAHistoryOfPeriodsInOwnTables() {
    BenchCall.assumeMeasuring();
    Measured measured = BenchCall.measuring(folder, "close --history 10 --runs 1");
    for (String operation : List.of("close", "verify", "page", "line")) {
      String locks = "history_" + operation + "_session_locks_";
      assertThat(measured.number(locks + 10) - measured.number(locks + 1))
          .as(operation)
          .isLessThan(8);
    }
    assertThat(measured.number("history_waits")).isZero();
  }

  private static double ratio(Measured measured, String over, String under) {
    return measured.number(over) / measured.number(under);
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
          --members abc          | --members is 'abc', and must be a whole number
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
