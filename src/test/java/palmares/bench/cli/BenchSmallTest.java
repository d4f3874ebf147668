package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
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
class BenchSmallTest {
  @TempDir private Path folder;
  @Autowired private ApplicationContext tests;

  /** The command itself checks that every period is settled and passes verification. */
  @Test
  void manyPeriodsCloseAndTheTimeOfEachStepIsReported() {
    Measured measured =
        BenchCall.measuring(tests, folder, "small --periods 7 --members 3 --runs 2");
    assertThat(measured.called().err()).contains("verified: 14 periods, 42 lines");
    assertThat(measured.called().out()).contains("small periods closed a second", "40.00 or more");
    assertThat(measured.figures().get("periods")).isEqualTo(7);
    assertThat(measured.figures().get("members")).isEqualTo(3);
    assertThat(measured.figures().keySet())
        .contains("runs", "seed", "cores", "small_per_second", "small_seconds", "small_ms")
        .contains("small_work_share", "small_transactions", "small_wal_kb")
        .contains("small_seal_ms", "small_fill_ms", "small_pay_ms");
    assertThat(measured.number("small_work_share")).isBetween(0.0, 1.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --periods 0      | --periods is from 1 to 99999, not 0
          --periods 100000 | --periods is from 1 to 99999, not 100000
          --members -1     | --members is from 1 to 10000, not -1
          --members 10001  | --members is from 1 to 10000, not 10001
          --members some   | --members is 'some', and must be a whole number
          --runs 0         | --runs is 1 or more, not 0
          """)
  void wrongOptionsAreRefusedBeforeTheApplicationStarts(String options, String complaint) {
    Called called = BenchCall.alone(("small " + options).split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(complaint);
  }
}
