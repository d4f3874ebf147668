package palmares.api.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request's body: it arrives whole before its deadline or is refused, and what keeps it from
 * arriving is a problem of the caller's, never a fault of the server.
 */
public final class RequestBody extends ServletInputStream {
  /** No address takes more. */
  static final long MAX_BYTES = 8 << 20;

  private static final int FIRST_BYTES = 8 << 10;

  /** How much of a body that nobody wants is taken, so that its sender reads the answer. */
  private static final int MAX_DISCARDED_BYTES = 2 << 20;

  private static final Duration DISCARD_TIMEOUT = Duration.ofSeconds(2);

  private final ServletInputStream in;
  private final long declared;
  private final ServerLoad.Share share;
  private final Duration timeout;
  private final LongSupplier nanos;
  private @Nullable Long deadline;
  private boolean ended;
  private boolean broken;

  /**
   * @param declared how many bytes are announced; -1 if that is not known
   * @param nanos the time, as {@link System#nanoTime} has it: a clock that is set may not end it
   */
  RequestBody(
      ServletInputStream in,
      long declared,
      ServerLoad.Share share,
      Duration timeout,
      LongSupplier nanos) {
    this.in = in;
    this.declared = declared;
    this.share = share;
    this.timeout = timeout;
    this.nanos = nanos;
  }

  /**
   * Refuses a body that announces more bytes than an address takes.
   *
   * @throws ProblemException if it does
   */
  public static InputStream requireAtMost(int mostBytes, InputStream body) {
    if (body instanceof RequestBody own && own.declared > mostBytes) {
      throw tooLarge(mostBytes);
    }
    return new Bounded(body, mostBytes);
  }

  /**
   * Reads all of a body, and reserves the memory that it takes.
   *
   * @throws ProblemException if it is too large, comes too slowly, or ends too soon
   */
  public static byte[] readAll(int mostBytes, InputStream body) throws IOException {
    InputStream bounded = requireAtMost(mostBytes, body);
    boolean known = body instanceof RequestBody own && own.declared >= 0;
    byte[] text = new byte[known ? (int) ((RequestBody) body).declared : FIRST_BYTES];
    ServerLoad.reserve(text.length);
    int length = bounded.readNBytes(text, 0, text.length);
    while (length == text.length && !known) {
      int more = Math.min(length, mostBytes - length) + 1;
      ServerLoad.reserve(more + (long) length);
      text = Arrays.copyOf(text, length + more);
      length += bounded.readNBytes(text, length, more);
    }
    // One more read shows that it has ended.
    if (known && (length < text.length || bounded.read() >= 0)) {
      throw broken();
    }
    return length == text.length ? text : Arrays.copyOf(text, length);
  }

  static ProblemException tooLarge(long mostBytes) {
    return new ProblemException(
        Problem.TOO_LARGE,
        "a body for this address has at most %d bytes: send less, or in several requests"
            .formatted(mostBytes));
  }

  private static ProblemException broken() {
    return new ProblemException(
        Problem.BAD_REQUEST, "the body broke off, or is not sent as its head announces");
  }

  private ProblemException late() {
    broken = true;
    return new ProblemException(
        Problem.REQUEST_TIMEOUT,
        "the body did not arrive within %d s: send it faster, or less"
            .formatted(timeout.toSeconds()));
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (ended || broken || length == 0) {
      return ended ? -1 : length == 0 ? 0 : fail();
    }
    if (deadline == null) {
      share.beginTransfer();
      deadline = nanos.getAsLong() + timeout.toNanos();
    }
    int count;
    try {
      count = in.read(bytes, offset, length);
    } catch (SocketTimeoutException e) {
      throw late();
    } catch (IOException e) {
      broken = true;
      throw broken();
    }
    if (count < 0) {
      ended = true;
      share.endBody();
    } else if (nanos.getAsLong() - deadline > 0) {
      throw late();
    }
    return count;
  }

  private static int fail() throws EOFException {
    throw new EOFException("the body broke off before");
  }

  /**
   * Takes what still comes of a body that nobody has read to its end, for a short time.
   *
   * @return whether it has ended, so that the connection may go on
   */
  boolean discardRest() {
    var rest = new byte[FIRST_BYTES];
    try {
      share.beginTransfer();
      long until = nanos.getAsLong() + DISCARD_TIMEOUT.toNanos();
      for (long taken = 0;
          !ended && !broken && taken < MAX_DISCARDED_BYTES && nanos.getAsLong() - until < 0; ) {
        taken += Math.max(0, read(rest, 0, rest.length));
      }
    } catch (IOException | ProblemException e) {
      broken = true;
    }
    return ended;
  }

  boolean hasEnded() {
    return ended;
  }

  boolean isBegun() {
    return deadline != null;
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }

  @Override
  public boolean isFinished() {
    return ended || in.isFinished();
  }

  @Override
  public boolean isReady() {
    return in.isReady();
  }

  @Override
  public void setReadListener(ReadListener listener) {
    in.setReadListener(listener);
  }

  /** A body of which no more than a number of bytes is read. */
  private static final class Bounded extends InputStream {
    private final InputStream in;
    private final int mostBytes;
    private long read;

    Bounded(InputStream in, int mostBytes) {
      this.in = in;
      this.mostBytes = mostBytes;
    }

    @Override
    public int read() throws IOException {
      return counted(in.read(), 1);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = in.read(bytes, offset, length);
      return counted(count, count);
    }

    private int counted(int result, int count) {
      read += result < 0 ? 0 : count;
      if (read > mostBytes) {
        throw tooLarge(mostBytes);
      }
      return result;
    }
  }
}
