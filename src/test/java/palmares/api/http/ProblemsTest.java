package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.apache.catalina.connector.ClientAbortException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import palmares.platform.threads.Loops;

/** Whose fault it is that no answer arrives. */
@ExtendWith(OutputCaptureExtension.class)
class ProblemsTest {
  private final Problems problems = new Problems(new Loops(new SimpleMeterRegistry()));

  @Test
  void aCallerThatHangsUpLeavesNoStack(CapturedOutput log) {
    var gone = new ClientAbortException(new IOException("Broken pipe"));
    assertThat(problems.internal(gone)).isNull();
    assertThat(problems.internal(new UncheckedIOException(gone))).isNull();
    assertThat(log).doesNotContain("a fault of ours").doesNotContain("\tat ");
  }

  @Test
  void aServerOfOursThatBreaksOffIsNeverTakenForTheCaller() {
    for (var cause : List.of(new EOFException(), new IOException("Connection reset by peer"))) {
      var answer = Objects.requireNonNull(problems.internal(new IllegalStateException(cause)));
      assertThat(answer.getStatusCode().value()).isEqualTo(500);
    }
  }
}
