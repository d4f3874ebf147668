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
import palmares.platform.Problem;
import palmares.platform.Refusal;

/**
 * The body of a request, with a deadline and a maximum size. If it does not arrive as announced, it
 * throws a {@link Refusal}.
 */
public final class RequestBody extends ServletInputStream {
  /** The largest body that any path accepts. */
  static final long MAX_BYTES = 8 << 20;

  private static final int BUFFER_BYTES = 8 << 10;

  /** How much of a refused body is read, so that the client reads the response. */
  private static final long MAX_DISCARDED_BYTES = MAX_BYTES;

  /** The same of a form: a browser shows no answer before it has sent all. */
  private static final long MAX_DISCARDED_FORM_BYTES = 128 << 20;

  /** The memory that parsing a form takes, in bytes for each byte of the form. */
  private static final int FORM_MEMORY_FACTOR = 6;

  private static final Duration DISCARD_TIMEOUT = Duration.ofSeconds(2);

  private final ServletInputStream in;
  private final long declared;
  private final ServerLoad.Share share;
  private final Duration timeout;
  private final LongSupplier nanos;
  private long maxDiscarded = MAX_DISCARDED_BYTES;
  private Duration discardTimeout = DISCARD_TIMEOUT;
  private @Nullable Long deadline;
  private long count;
  private boolean isForm;
  private boolean ended;
  private boolean broken;

  /** Whether it may not be read any further; the rest of it can be discarded. */
  private boolean isLate;

  /**
   * @param declared the Content-Length; -1 if unknown
   * @param nanos elapsed time as from {@link System#nanoTime}, unlike a clock that may be set
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
   * Limits a body.
   *
   * @throws Refusal if it announces more bytes; reading throws it if there are more
   */
  public static InputStream requireAtMost(int maxBytes, InputStream body) {
    if (body instanceof RequestBody own && own.declared > maxBytes) {
      throw tooLarge(maxBytes);
    }
    return new Bounded(body, maxBytes);
  }

  /**
   * Reads the whole body, and reserves the memory that it takes.
   *
   * @throws Refusal if it is too large, too slow or incomplete
   */
  public static byte[] readAll(int maxBytes, InputStream body) throws IOException {
    InputStream bounded = requireAtMost(maxBytes, body);
    boolean known = body instanceof RequestBody own && own.declared >= 0;
    byte[] text = new byte[known ? (int) ((RequestBody) body).declared : BUFFER_BYTES];
    ServerLoad.reserve(text.length);
    int length = bounded.readNBytes(text, 0, text.length);
    while (length == text.length && !known) {
      int more = Math.min(length, maxBytes - length) + 1;
      ServerLoad.reserve(more + (long) length);
      text = Arrays.copyOf(text, length + more);
      length += bounded.readNBytes(text, length, more);
    }
    // Only one more read marks the body as ended.
    if (known && (length < text.length || bounded.read() >= 0)) {
      throw incomplete();
    }
    return length == text.length ? text : Arrays.copyOf(text, length);
  }

  /**
   * Reads the whole body of a form, and reserves the memory that parsing it takes.
   *
   * @throws Refusal if it is too large, too slow or incomplete
   */
  byte[] readForm(int maxBytes) throws IOException {
    if (declared <= maxBytes) {
      share.reserve(FORM_MEMORY_FACTOR * (declared < 0 ? maxBytes : declared));
    }
    return readAll(maxBytes, this);
  }

  static Refusal tooLarge(long maxBytes) {
    return new Refusal(Problem.TOO_LARGE, new HttpSentences.BodyTooLarge(maxBytes));
  }

  private static Refusal incomplete() {
    return new Refusal(Problem.BAD_REQUEST, new HttpSentences.BodyIncomplete());
  }

  private Refusal late() {
    return new Refusal(Problem.REQUEST_TIMEOUT, new HttpSentences.BodyLate(timeout.toSeconds()));
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (ended || broken || isLate || length == 0) {
      return ended ? -1 : length == 0 ? 0 : fail();
    }
    if (deadline == null) {
      share.beginTransfer();
      deadline = nanos.getAsLong() + timeout.toNanos();
    }
    int more;
    try {
      more = in.read(bytes, offset, length);
    } catch (SocketTimeoutException e) {
      broken = true;
      throw late();
    } catch (IOException e) {
      broken = true;
      throw incomplete();
    }
    count += Math.max(0, more);
    if (more < 0) {
      ended = true;
      share.endBody();
    } else if (nanos.getAsLong() - deadline > 0) {
      isLate = true;
      broken = !isForm;
      throw late();
    }
    return more;
  }

  private static int fail() throws EOFException {
    throw new EOFException("the body failed before");
  }

  /**
   * If it is refused, reads as much of it as a person may send, and as long as of other bodies. One
   * that is late gets that time once more.
   */
  void discardAsForm() {
    isForm = true;
    maxDiscarded = MAX_DISCARDED_FORM_BYTES;
    discardTimeout = timeout;
  }

  /**
   * Reads and discards the rest of the body, for a limited time and size. What has arrived already
   * is no transfer, so that a caller without a valid key gets to read its refusal.
   *
   * @param rest what the server has not given to this stream yet
   * @return whether the body has ended, so that the connection can be reused
   */
  boolean discardRest(InputStream rest) {
    var discarded = new byte[BUFFER_BYTES];
    try (share) {
      long deadlineOfRest = nanos.getAsLong() + discardTimeout.toNanos();
      for (long taken = 0;
          !ended && !broken && taken < maxDiscarded && nanos.getAsLong() - deadlineOfRest < 0; ) {
        if (count != declared && rest.available() == 0) {
          share.beginTransfer();
        }
        int more = rest.read(discarded, 0, discarded.length);
        ended = more < 0;
        count += Math.max(0, more);
        taken += Math.max(0, more);
      }
    } catch (IOException | Refusal e) {
      broken = true;
    }
    return ended;
  }

  boolean hasEnded() {
    return ended;
  }

  boolean hasBegun() {
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

  /** Throws once more than a number of bytes was read. */
  private static final class Bounded extends InputStream {
    private final InputStream in;
    private final int maxBytes;
    private long read;

    Bounded(InputStream in, int maxBytes) {
      this.in = in;
      this.maxBytes = maxBytes;
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
      if (read > maxBytes) {
        throw tooLarge(maxBytes);
      }
      return result;
    }
  }
}
