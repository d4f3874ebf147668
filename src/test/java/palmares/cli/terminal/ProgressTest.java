package palmares.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import palmares.cli.terminal.Progress.Unit;

class ProgressTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private long nanos;

  @Test
  void aLogGetsALineEveryTenSeconds() {
    var lines =
        new LineProgress(terminal(false), "close", new Unit(" periods", 1), 300, () -> nanos);
    lines.at(10, "");
    assertThat(text(err)).isEmpty();
    nanos = Duration.ofSeconds(10).toNanos();
    lines.at(100, "2 held by others");
    lines.at(101, "");
    assertThat(text(err))
        .isEqualTo("close: 100 of 300 periods, 10 a second, 0:20 left, 2 held by others\n");
  }

  @Test
  void anUnknownTotalIsNotShown() {
    var lines = new LineProgress(terminal(false), "import", new Unit(" KB", 1000), -1, () -> nanos);
    nanos = Duration.ofSeconds(10).toNanos();
    lines.at(25_000, "7 lines");
    assertThat(text(err)).isEqualTo("import: 25.0 KB, 2.5 a second, 7 lines\n");
  }

  @Test
  void lessThanOneASecondIsNotShown() {
    var lines = new LineProgress(terminal(false), "month", new Unit(" days", 1), 31, () -> nanos);
    nanos = Duration.ofSeconds(10).toNanos();
    lines.at(5, "");
    assertThat(text(err)).isEqualTo("month: 5 of 31 days, 0:52 left\n");
  }

  @Test
  void theBarIsDrawnOnStandardErrorOnly() {
    try (Progress bar = Progress.of(terminal(true), "close", new Unit(" periods", 1), 3)) {
      bar.at(1, "");
      bar.say("a result");
      bar.at(3, "");
    }
    assertThat(text(out)).isEqualTo("a result\n");
    assertThat(text(err)).contains("close", "100%");
  }

  private Terminal terminal(boolean watched) {
    return new Terminal(InputStream.nullInputStream(), stream(out), stream(err), watched, false);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
