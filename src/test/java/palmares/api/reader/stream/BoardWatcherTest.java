package palmares.api.reader.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** A watcher who is slow gets the latest, holds up nobody, and is not told what is old by then. */
class BoardWatcherTest {
  private final Line line = new Line();
  private boolean completed;
  private final BoardWatcher watcher =
      new BoardWatcher(
          10,
          new MockAsyncContext(new MockHttpServletRequest(), new MockHttpServletResponse()) {
            @Override
            public void complete() {
              completed = true;
            }
          },
          line);

  @Test
  void whoTakesAllIsToldAll() {
    watcher.onWritePossible();
    tell("a", "b");
    assertThat(line.written()).isEqualTo("ab");
    assertThat(line.flushes).isEqualTo(2);
  }

  @Test
  void whoIsSlowIsToldTheLatestOnly() {
    watcher.onWritePossible();
    tell("a");
    line.takes(false);
    tell("b", "c", "d");
    assertThat(line.written()).isEqualTo("a");
    line.takes(true);
    watcher.onWritePossible();
    assertThat(line.written()).isEqualTo("ad");
  }

  @Test
  void nobodyIsToldAnythingBeforeTheContainerSaysSo() {
    tell("a", "b");
    assertThat(line.written()).isEmpty();
    watcher.onWritePossible();
    assertThat(line.written()).isEqualTo("b");
  }

  @Test
  void onlyWhoHasNothingToTakeHearsAHeartbeat() {
    watcher.onWritePossible();
    watcher.sendHeartbeat();
    assertThat(line.written()).isEqualTo(":\n\n");
    line.takes(false);
    tell("a");
    watcher.sendHeartbeat();
    line.takes(true);
    watcher.onWritePossible();
    assertThat(line.written()).isEqualTo(":\n\na");
  }

  @Test
  void theLastNewsAreTakenBeforeTheEnd() {
    watcher.onWritePossible();
    line.takes(false);
    tell("last");
    watcher.end();
    assertThat(completed).isFalse();
    line.takes(true);
    watcher.onWritePossible();
    assertThat(line.written()).isEqualTo("last");
    assertThat(completed).isTrue();
  }

  @Test
  void whoHungUpIsToldNothingMore() {
    watcher.onWritePossible();
    line.broken = true;
    tell("a");
    line.broken = false;
    tell("b");
    watcher.end();
    assertThat(line.written()).isEmpty();
    // The container ends the request of its own.
    assertThat(completed).isFalse();
  }

  private void tell(String... streamMessage) {
    for (String each : streamMessage) {
      watcher.send(each.getBytes(UTF_8));
    }
  }

  /** A connection that takes what the test lets it take. */
  private static final class Line extends ServletOutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private boolean ready = true;
    private boolean broken;
    private int flushes;

    void takes(boolean any) {
      ready = any;
    }

    String written() {
      return taken.toString(UTF_8);
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void setWriteListener(WriteListener listener) {}

    @Override
    public void write(int b) throws IOException {
      if (broken) {
        throw new IOException("hung up");
      }
      taken.write(b);
    }

    @Override
    public void flush() {
      flushes++;
    }
  }
}
