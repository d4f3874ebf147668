package palmares.api.reader.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palmares.api.reader.lines.LineView;

/**
 * A client that watches a board. Receives messages as fast as it reads; a message that is not sent
 * yet is replaced by a newer one. No thread blocks on it.
 */
final class BoardWatcher implements WriteListener {
  /** The id of a stream's last event; a client that has received it need not reconnect. */
  static final String LAST_ID = "sealed";

  /** A comment, which keeps the connection open. */
  static final byte[] HEARTBEAT = ":\n\n".getBytes(UTF_8);

  private static final Logger LOG = LoggerFactory.getLogger(BoardWatcher.class);

  private final int count;
  private final AsyncContext async;
  private final ServletOutputStream out;
  private final BooleanSupplier isStillAllowed;

  /** The last lines passed to it; used only by the thread of the streams. */
  private @Nullable List<LineView> lastLines;

  private byte @Nullable [] next;
  private boolean writable;
  private boolean unflushed;
  private boolean ended;
  private boolean disconnected;

  /**
   * @param count the number of top lines that it watches
   * @param isStillAllowed whether the stream may go on
   */
  BoardWatcher(
      int count, AsyncContext async, ServletOutputStream out, BooleanSupplier isStillAllowed) {
    this.count = count;
    this.async = async;
    this.out = out;
    this.isStillAllowed = isStillAllowed;
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

  /** Sends a heartbeat, unless a message is pending; ends the stream if it is not allowed now. */
  void sendHeartbeat() {
    boolean isAllowed = isStillAllowed.getAsBoolean(); // may ask PostgreSQL
    synchronized (this) {
      if (!isAllowed) {
        next = null;
        end();
      } else if (next == null && !unflushed) {
        send(HEARTBEAT);
      }
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

  /**
   * Encodes the top lines.
   *
   * @param id the version of the board
   * @param json a single line of text
   */
  static byte[] topMessage(String id, String json) {
    return "id: %s\nevent: top\ndata: %s\n\n".formatted(id, json).getBytes(UTF_8);
  }

  /** Encodes the final top lines. */
  static byte[] lastMessage(String json) {
    return "id: %s\nevent: sealed\ndata: %s\n\n".formatted(LAST_ID, json).getBytes(UTF_8);
  }
}
