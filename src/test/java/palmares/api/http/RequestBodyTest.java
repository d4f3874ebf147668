package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** A body may take 20 seconds; each byte here takes one. */
class RequestBodyTest {
  private final AtomicLong seconds = new AtomicLong();
  private final ServerLoad load = new ServerLoad(10 << 20, 10, 10, 10);

  @Test
  void theDeadlineIsForTheWholeBody() {
    assertRefused(() -> RequestBody.readAll(1_000, body(100, null)), Problem.REQUEST_TIMEOUT);
    assertThat(seconds).hasValue(21);
  }

  @Test
  void aBodyThatArrivesInTimeIsRead() throws IOException {
    assertThat(RequestBody.readAll(1_000, body(20, null))).hasSize(20);
    assertThat(RequestBody.readAll(20, undeclared(20))).hasSize(20);
    assertThat(load.isIdle()).isTrue();
  }

  @Test
  void aBodyOfUnknownLengthIsReadUpToTheMaximum() {
    assertRefused(() -> RequestBody.readAll(10, undeclared(100)), Problem.TOO_LARGE);
    assertThat(seconds).hasValue(11);
  }

  @Test
  void silenceIsATimeoutAndABreakIsABadRequest() {
    assertRefused(
        () -> RequestBody.readAll(99, body(9, new SocketTimeoutException())),
        Problem.REQUEST_TIMEOUT);
    assertRefused(
        () -> RequestBody.readAll(99, body(9, new IOException("reset"))), Problem.BAD_REQUEST);
    assertRefused(() -> RequestBody.readAll(99, body(9, null, 12)), Problem.BAD_REQUEST);
  }

  @Test
  void theRestIsDiscardedForTwoSeconds() {
    assertThat(body(100, null).discardRest(new Trickle(100, null))).isFalse();
    assertThat(seconds).hasValue(2);
    assertThat(body(1, null).discardRest(new Trickle(1, null))).isTrue();
    assertThat(load.isIdle()).isTrue();
  }

  /** A browser shows no answer before it has sent all. */
  @Test
  void theRestOfAFormIsDiscardedForTheTimeOfAWholeBody() {
    RequestBody form = body(100, null);
    form.discardAsForm();
    assertThat(form.discardRest(new Trickle(100, null))).isFalse();
    assertThat(seconds).hasValue(20);
  }

  /** A browser that is reset before it has sent all shows no answer either. */
  @Test
  void theRestOfALateFormIsDiscardedAndThatOfAnotherLateBodyIsNot() {
    RequestBody form = body(30, null);
    form.discardAsForm();
    assertRefused(() -> RequestBody.readAll(1_000, form), Problem.REQUEST_TIMEOUT);
    assertThatThrownBy(form::read).as("no more of it is read").isInstanceOf(IOException.class);
    assertThat(form.discardRest(new Trickle(9, null))).isTrue();
    assertThat(seconds).as("21 of the form, and its rest").hasValue(30);
    RequestBody late = body(30, null);
    assertRefused(() -> RequestBody.readAll(1_000, late), Problem.REQUEST_TIMEOUT);
    assertThat(late.discardRest(new Trickle(9, null))).isFalse();
  }

  private RequestBody undeclared(int length) {
    return body(length, null, -1);
  }

  private RequestBody body(int length, @Nullable IOException end) {
    return body(length, end, length);
  }

  private RequestBody body(int length, @Nullable IOException end, int declared) {
    var share = load.share("a");
    return new RequestBody(
        new Trickle(length, end),
        declared,
        share,
        Duration.ofSeconds(20),
        () -> TimeUnit.SECONDS.toNanos(seconds.get()));
  }

  private void assertRefused(Reading reading, Problem problem) {
    seconds.set(0);
    assertThatThrownBy(reading::read)
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.problem()).isEqualTo(problem));
  }

  private interface Reading {
    byte[] read() throws IOException;
  }

  /** Returns a byte a second. */
  private final class Trickle extends ServletInputStream {
    private final @Nullable IOException end;
    private int left;

    Trickle(int length, @Nullable IOException end) {
      this.left = length;
      this.end = end;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (left == 0) {
        if (end != null) {
          throw end;
        }
        return -1;
      }
      left--;
      seconds.incrementAndGet();
      return 1;
    }

    @Override
    public int read() {
      throw new UncheckedIOException(new IOException("one by one"));
    }

    @Override
    public boolean isFinished() {
      return left == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {}
  }
}
