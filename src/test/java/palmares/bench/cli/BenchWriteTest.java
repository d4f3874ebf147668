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
class BenchWriteTest {
  @TempDir private Path folder;
  @Autowired private ApplicationContext tests;

  /** The command itself checks that each way has written every event once. */
  @Test
  void allWaysWriteTheSameEventsAndAreCompared() {
    BenchCall.assumeMeasuring();
    Measured measured =
        BenchCall.measuring(tests, folder, "write --events 400 --batch 100 --clients 4 --runs 1");
    assertThat(measured.called().out())
        .contains("single events / an empty endpoint", "0.600 or more")
        .contains("batches / bare ZINCRBY, pipelined alike")
        .contains("batches / a lock for each member", "10.00 or more");
    assertThat(measured.figures().get("events")).isEqualTo(400);
    assertThat(measured.figures().keySet())
        .contains("runs", "seed", "cores", "clients", "batch")
        .contains(
            "single_over_empty",
            "single_over_open",
            "batch_over_raw",
            "batch_over_bare",
            "batch_over_lock",
            "committed_over_single",
            "committed_over_single_128",
            "committed_batch_over_batch")
        .contains("events_over_lock", "events_over_board_lock")
        .contains("single_per_second", "single_p50_ms", "single_p99_ms", "single_p999_ms")
        .contains("single_redis_cpu", "single_server_cpu", "single_clients_cpu")
        .contains("lock_per_second", "board_lock_per_second", "raw_per_second", "bare_per_second");
    for (String where : new String[] {"journal", "dedup", "postgres"}) {
      // Each contains an id of 36 bytes and a digest of 16.
      assertThat(measured.number(where + "_bytes_per_event")).as(where).isBetween(52.0, 1_000.0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --clients 0        | --clients is from 1 to 1000, not 0
          --clients 1001     | --clients is from 1 to 1000, not 1001
          --events 0         | --events is from 1 to 10000000, not 0
          --batch 10001      | --batch is from 1 to 10000, not 10001
          --events 1500      | --events is a multiple of --batch, which is 1000, not 1500
          --runs 0           | --runs is 1 or more, not 0
          """)
  void wrongOptionsAreRefusedBeforeTheApplicationStarts(String options, String complaint) {
    Called called = BenchCall.alone(("write " + options).split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(complaint);
  }
}
