package palmares.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The body of an answer that is closed, and fails, once a read from it has waited for too long. A
 * server whose machine is gone closes no connection.
 */
final class WatchedBody extends FilterInputStream {
  private final Duration maxSilence;
  private boolean isClosed;

  /** Whether a thread reads at this moment, and since when it does. */
  private boolean isReading;

  private long readingSince;

  WatchedBody(InputStream body, Duration maxSilence) {
    super(body);
    this.maxSilence = maxSilence;
    checkAfter(maxSilence.toNanos());
  }

  private void checkAfter(long nanos) {
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(this::check);
  }

  private void check() {
    long left;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      left = maxSilence.toNanos() - (isReading ? System.nanoTime() - readingSince : 0);
    }
    if (left > 0) {
      checkAfter(left);
    } else {
      closeQuietly();
    }
  }

  private void closeQuietly() {
    try {
      close();
    } catch (IOException e) {
      // The read fails all the same.
    }
  }

  @Override
  public int read() throws IOException {
    begin();
    try {
      return super.read();
    } finally {
      end();
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    begin();
    try {
      return super.read(bytes, offset, length);
    } finally {
      end();
    }
  }

  private synchronized void begin() {
    isReading = true;
    readingSince = System.nanoTime();
  }

  private synchronized void end() {
    isReading = false;
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      isClosed = true;
    }
    super.close();
  }
}
