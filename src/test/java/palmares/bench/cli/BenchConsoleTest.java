package palmares.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import palmares.bench.cli.BenchCall.Measured;
import palmares.testing.PalmaresTest;

/** Calls the command on an empty database of the tests' servers. */
@PalmaresTest
class BenchConsoleTest {
  @TempDir private Path folder;
  @Autowired private ApplicationContext tests;

  /** The command itself checks each page. */
  @Test
  void pagesOfASettledPeriodAreMeasuredAgainstTheApi() {
    BenchCall.assumeMeasuring();
    Measured measured = BenchCall.measuring(tests, folder, "console --members 300 --requests 5");
    assertThat(measured.called().out()).contains("the page around a member, 300 members");
    assertThat(measured.figures().keySet())
        .contains(
            "console_first_ms",
            "console_search_ms",
            "console_jump_ms",
            "console_api_ms",
            "console_csv_s",
            "console_xlsx_s",
            "console_against_api");
  }
}
