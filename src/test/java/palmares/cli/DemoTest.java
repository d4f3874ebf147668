package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.Palmares;
import palmares.cli.launch.SpringLauncher;

/** The demo as a new user calls it, on its own servers in an empty folder. */
class DemoTest {
  private static final int MIN_PERIODS = 90;
  private static final Pattern VERIFIED =
      Pattern.compile(
          "verified: (\\d+) periods, \\d+ lines, \\d+ payments;"
              + " 0 missing, 0 extra, 0 unequal");

  /** The heading, the columns and the first line of one table, not broken by the progress bar. */
  private static final Pattern INVITES =
      Pattern.compile(
          "invites 2026-W43: [^|]*rank \\| member +\\| points \\| reached at +\\| credits"
              + " +\\| nickname +\\| invite code[^|]* 1 \\| \\S+ +\\| +[\\d,]+ \\|"
              + " 2026-10-\\S+Z +\\| +[\\d,]+ \\|"
              + " [A-Z][a-z-A-Z]+ +\\| [2-9A-Z]{8}");

  @TempDir private Path folder;

  @Test
  void aMonthIsPlayedClosedShownAndVerified() {
    Called called =
        Called.with(
            new SpringLauncher(Palmares.class),
            "",
            "demo",
            "--once",
            "--port",
            "0",
            "--data",
            folder.resolve("demo").toString());
    assertThat(called.exitCode()).as(called.err()).isZero();
    assertThat(called.out()).containsPattern(INVITES);
    var verified = VERIFIED.matcher(called.lastLine());
    assertThat(verified.matches()).as(called.lastLine()).isTrue();
    assertThat(Integer.parseInt(verified.group(1))).isGreaterThanOrEqualTo(MIN_PERIODS);
    closesNothingThatGoesOnByTheClockOfTheDemo();
  }

  private void closesNothingThatGoesOnByTheClockOfTheDemo() {
    String data = folder.resolve("demo").toString();
    String jobs = folder.resolve("demo").resolve("jobs").toString();
    Called close =
        Called.with(
            new SpringLauncher(Palmares.class),
            "",
            "close",
            "--due",
            "--data",
            data,
            "--jobs",
            jobs);
    assertThat(close.exitCode()).as(close.err()).isZero();
    assertThat(close.out()).contains("nothing is due");
  }

  @Test
  void aFolderWithOtherDataIsRefusedAndNotChanged() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious.txt"), "years of work");
    Called called = Called.alone("demo", "--once", "--port", "0", "--data", folder.toString());
    assertThat(called.exitCode()).isEqualTo(2);
    assertThat(called.err()).contains(folder + " contains data other than a demo's");
    assertThat(precious).hasContent("years of work");
    try (Stream<Path> content = Files.list(folder)) {
      assertThat(content).containsExactly(precious);
    }
  }
}
