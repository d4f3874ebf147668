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

/** A slow watcher gets only the latest message, and blocks no thread. */
class BoardWatcherTest {
  private final Line line = new Line();
  private boolean completed;
  private boolean isAllowed = true;
  private final BoardWatcher watcher =
      new BoardWatcher(
          10,
          new MockAsyncContext(new MockHttpServletRequest(), new MockHttpServletResponse()) {
            @Override
            public void complete() {
              completed = true;
            }
          },
          line,
          () -> isAllowed);

  @Test
  void aFastWatcherGetsEveryMessage() {
    watcher.onWritePossible();
    send("a", "b");
    assertThat(line.written()).isEqualTo("ab");
    assertThat(line.flushes).isEqualTo(2);
  }

  @Test
  void aSlowWatcherGetsTheLatestMessage() {
    watcher.onWritePossible();
    send("a");
    line.takes(false);
    send("b", "c", "d");
    assertThat(line.written()).isEqualTo("a");
    line.takes(true);
    watcher.onWritePossible();
    assertThat(line.written()).isEqualTo("ad");
  }

  @Test
  void nothingIsWrittenBeforeTheContainerAllowsIt() {
    send("a", "b");
    assertThat(line.written()).isEmpty();
    watcher.onWritePossible();
    assertThat(line.written()).isEqualTo("b");
  }

  @Test
  void aHeartbeatIsSentOnlyIfNoMessageIsPending() {
    watcher.onWritePossible();
    watcher.sendHeartbeat();
    assertThat(line.written()).isEqualTo(":\n\n");
    line.takes(false);
    send("a");
    watcher.sendHeartbeat();
    line.takes(true);
    watcher.onWritePossible();
    assertThat(line.written()).isEqualTo(":\n\na");
  }

  @Test
  void aStreamEndsAtTheNextHeartbeatOnceItsKeyIsRevoked() {
    watcher.onWritePossible();
    watcher.sendHeartbeat();
    assertThat(completed).isFalse();
    isAllowed = false;
    watcher.sendHeartbeat();
    assertThat(completed).isTrue();
    assertThat(line.written()).isEqualTo(":\n\n");
  }

  @Test
  void theLastMessageIsWrittenBeforeTheEnd() {
    watcher.onWritePossible();
    line.takes(false);
    send("last");
    watcher.end();
    assertThat(completed).isFalse();
    line.takes(true);
    watcher.onWritePossible();
    assertThat(line.written()).isEqualTo("last");
    assertThat(completed).isTrue();
  }

  @Test
  void nothingIsWrittenAfterADisconnect() {
    watcher.onWritePossible();
    line.broken = true;
    send("a");
    line.broken = false;
    send("b");
    watcher.end();
    assertThat(line.written()).isEmpty();
    // The container ends the request.
    assertThat(completed).isFalse();
  }

  private void send(String... messages) {
    for (String each : messages) {
      watcher.send(each.getBytes(UTF_8));
    }
  }

  /** A connection that accepts bytes only when the test allows it. */
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
        throw new IOException("disconnected");
      }
      taken.write(b);
    }

    @Override
    public void flush() {
      flushes++;
    }
  }
}
