package palmares.api.reader.stream;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palmares.api.reader.lines.LineView;

/**
 * A client that watches a board. Receives messages as fast as it reads; a message that is not sent
 * yet is replaced by a newer one. No thread blocks on it.
 */
final class BoardWatcher implements WriteListener {
  private static final Logger LOG = LoggerFactory.getLogger(BoardWatcher.class);

  private final int count;
  private final AsyncContext async;
  private final ServletOutputStream out;

  /** The last lines passed to it; used only by the thread of the streams. */
  private @Nullable List<LineView> lastLines;

  private byte @Nullable [] next;
  private boolean writable;
  private boolean unflushed;
  private boolean ended;
  private boolean disconnected;

  /**
   * @param count the number of top lines that it watches
   */
  BoardWatcher(int count, AsyncContext async, ServletOutputStream out) {
    this.count = count;
    this.async = async;
    this.out = out;
  }

  int count() {
    return count;
  }

  boolean isNew() {
    return lastLines == null;
  }

  /** Remembers the lines, and returns whether they differ from the last ones. */
  boolean update(List<LineView> lines) {
    boolean changed = !lines.equals(lastLines);
    lastLines = lines;
    return changed;
  }

  synchronized void send(byte[] message) {
    next = message;
    sendPending();
  }

  /** Sends a heartbeat, unless a message is pending. */
  synchronized void sendHeartbeat() {
    if (next == null && !unflushed) {
      send(StreamMessage.HEARTBEAT);
    }
  }

  /** Ends the stream after the pending message. */
  synchronized void end() {
    ended = true;
    sendPending();
  }

  @Override
  public synchronized void onWritePossible() {
    writable = true;
    sendPending();
  }

  /** The client has disconnected. */
  @Override
  public synchronized void onError(Throwable failure) {
    disconnected = true;
  }

  /** Writes without blocking; the container calls again when more can be written. */
  private void sendPending() {
    try {
      while (writable && !disconnected && out.isReady()) {
        if (unflushed) {
          unflushed = false;
          out.flush();
        } else if (next != null) {
          byte[] message = next;
          next = null;
          unflushed = true;
          out.write(message);
        } else {
          complete();
          return;
        }
      }
    } catch (IOException | IllegalStateException e) {
      // The client has disconnected; the container ends the request.
      disconnected = true;
    } catch (Throwable e) {
      // The client has disconnected during a flush, and the container has recycled the request.
      disconnected = true;
      LOG.debug("a watcher disconnected", e);
      endRequest();
    }
  }

  /** Ends the request if the container has not done so yet. */
  private void endRequest() {
    try {
      async.complete();
    } catch (RuntimeException ended) {
      LOG.debug("the request of a watcher had already ended", ended);
    }
  }

  private void complete() {
    if (ended) {
      disconnected = true;
      async.complete();
    }
  }
}
