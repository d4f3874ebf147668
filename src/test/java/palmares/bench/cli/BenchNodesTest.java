package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.bench.cli.BenchCall.Measured;
import palmares.cli.Called;
import palmares.testing.Processes;

/** Calls the command on embedded servers and a real cluster in a temporary folder. */
class BenchNodesTest {
  @TempDir private Path folder;

  /** The command itself checks that all events count once. */
  @Test
  void boardsOverAClusterAndAFailoverAreMeasured() {
    BenchCall.assumeMeasuring();
    Measured measured =
        BenchCall.measuring(folder, "nodes --measures boards,writes,outage --events 1200 --runs 1");
    assertThat(measured.called().out())
        .contains("writes to one board, on a cluster / on one Redis", "0.900 or more")
        .contains("60 boards of a day over three masters, farthest from 20", "8.00 or less");
    assertThat(Stream.of(1, 2, 3).mapToDouble(n -> measured.number("nodes_boards_" + n)).sum())
        .isEqualTo(60);
    assertThat(measured.number("nodes_boards_off")).isLessThanOrEqualTo(8);
    assertThat(measured.number("nodes_write_cluster")).isPositive();
    assertThat(measured.number("nodes_acknowledged")).isGreaterThan(100);
    assertThat(measured.number("nodes_lost_unnamed")).isZero();
    assertThat(measured.figures()).containsKey("nodes_boards_not_back");
    if (!measured.called().err().contains("no processor quotas can be set here")) {
      assertThat(measured.number("nodes_quota_one")).isPositive();
    }
    assertThat(measured.number("nodes_outage_seconds")).isPositive();
    for (String boards : new String[] {"master", "others"}) {
      assertThat(String.valueOf(measured.figures().get("nodes_events_of_" + boards)))
          .matches("\\d+(,\\d+){3,}");
    }
    assertThat(Processes.naming(folder)).isEmpty();
  }

  /** The command itself checks that each period is settled, and passes verification. */
  @Test
  void closingsOfSeveralProcessesAndSlicesAreMeasured() {
    BenchCall.assumeMeasuring();
    Measured measured =
        BenchCall.measuring(
            folder,
            "nodes --measures memory,closings,takeover,slices --periods 8 --period-members 500"
                + " --schedulers 2 --members 400 --slices 4 --runs 1");
    assertThat(measured.called().out())
        .contains("memory of an idle scheduler, for a cluster / for one Redis", "1.10 or less")
        .contains("processor seconds to fill in 4 slices / in one");
    if (!measured.called().err().contains("no processor quotas can be set here")) {
      assertThat(measured.number("nodes_share_2_1") + measured.number("nodes_share_2_2"))
          .isEqualTo(8);
      assertThat(measured.number("nodes_speed_up_2")).isPositive();
    }
    assertThat(measured.number("nodes_memory_ratio")).isPositive();
    assertThat(measured.number("nodes_takeover_seconds")).isPositive();
    assertThat(measured.number("nodes_slices_differing")).isZero();
    assertThat(measured.number("nodes_slices_processors")).isPositive();
    assertThat(Processes.naming(folder)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --events 0            | --events is from 1 to 10000000, not 0
          --periods 101         | --periods is from 1 to 100, not 101
          --period-members 0    | --period-members is from 1 to 250000, not 0
          --schedulers 9        | --schedulers is from 1 to 8, not 9
          --members 0           | --members is from 1 to 100000000, not 0
          --slices 65           | --slices is from 1 to 64, not 65
          --slices 1            | --slices is from 2 to --members, not 1
          --members 3           | --slices is from 2 to --members, not 8
          --measures some       | --measures is 'some', and must be one of boards
          --runs 0              | --runs is 1 or more, not 0
          """)
  void wrongOptionsAreRefusedBeforeTheApplicationStarts(String options, String complaint) {
    Called called = BenchCall.alone(("nodes " + options).split(" "));
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(complaint);
  }
}
