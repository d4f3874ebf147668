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
 * One who watches a board. Gets the latest news as fast as it takes them: what it has not taken yet
 * is replaced by what is newer, and nobody waits for it.
 */
final class BoardWatcher implements WriteListener {
  private static final Logger LOG = LoggerFactory.getLogger(BoardWatcher.class);

  private final int count;
  private final AsyncContext async;
  private final ServletOutputStream out;

  /** What it was told last; looked at by the thread that tells it alone. */
  private @Nullable List<LineView> told;

  private byte @Nullable [] next;
  private boolean writable;
  private boolean unsent;
  private boolean ended;
  private boolean gone;

  /**
   * @param count how many lines it watches
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
    return told == null;
  }

  /** Whether these lines are news to it; from now on they are not. */
  boolean learns(List<LineView> lines) {
    boolean streamMessage = !lines.equals(told);
    told = lines;
    return streamMessage;
  }

  synchronized void tell(byte[] streamMessage) {
    next = streamMessage;
    flow();
  }

  /** Says that nothing is new, unless something is. */
  synchronized void beat() {
    if (next == null && !unsent) {
      tell(StreamMessage.HEARTBEAT);
    }
  }

  /** Ends once it has taken what it was told. */
  synchronized void end() {
    ended = true;
    flow();
  }

  @Override
  public synchronized void onWritePossible() {
    writable = true;
    flow();
  }

  /** It hung up. */
  @Override
  public synchronized void onError(Throwable failure) {
    gone = true;
  }

  /** Writes what can be written without waiting; the container calls again when more can be. */
  private void flow() {
    try {
      while (writable && !gone && out.isReady()) {
        if (unsent) {
          unsent = false;
          out.flush();
        } else if (next != null) {
          byte[] streamMessage = next;
          next = null;
          unsent = true;
          out.write(streamMessage);
        } else {
          complete();
          return;
        }
      }
    } catch (IOException | IllegalStateException e) {
      // It hung up: the container notices and ends the request.
      gone = true;
    } catch (Throwable e) {
      // It hung up during a flush: the container has cleared the request under our hands.
      gone = true;
      LOG.debug("a watcher hung up", e);
      endRequest();
    }
  }

  /** Frees the seat if the container has not ended the request yet. */
  private void endRequest() {
    try {
      async.complete();
    } catch (RuntimeException ended) {
      LOG.debug("the request of a watcher had ended", ended);
    }
  }

  private void complete() {
    if (ended) {
      gone = true;
      async.complete();
    }
  }
}
