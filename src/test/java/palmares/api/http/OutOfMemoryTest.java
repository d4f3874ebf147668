package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletException;
import org.junit.jupiter.api.Test;

/** Only an {@code OutOfMemoryError} in the chain of causes ends the process. */
class OutOfMemoryTest {
  @Test
  void onlyAnOutOfMemoryErrorCounts() {
    var error = new OutOfMemoryError("Java heap space");
    assertThat(OutOfMemory.isCauseOf(error)).isTrue();
    assertThat(OutOfMemory.isCauseOf(new ServletException("dispatch", error))).isTrue();
    assertThat(OutOfMemory.isCauseOf(new ServletException(new StackOverflowError()))).isFalse();
  }
}
