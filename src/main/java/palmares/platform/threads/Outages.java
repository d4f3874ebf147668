package palmares.platform.threads;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionSystemException;

/**
 * Logs one line when a server becomes unavailable and one when it is available again, regardless of
 * the number of loops and requests that it affects.
 */
public final class Outages {
  private static final Logger LOG = LoggerFactory.getLogger(Outages.class);
  private static final String POSTGRESQL = "PostgreSQL";
  private static final long NANOS_BETWEEN_REQUEST_LINES = Duration.ofMinutes(1).toNanos();
  private static final int MAX_CAUSES = 20;

  private final LongSupplier nanos;
  private final Map<String, Long> began = new HashMap<>();
  private final Map<String, Long> ended = new HashMap<>();
  private final Map<String, Long> requestLines = new HashMap<>();

  Outages(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The server whose outage caused the failure; empty if there was another cause. */
  public static Optional<String> server(@Nullable Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      if (cause instanceof ServerOutage outage) {
        return Optional.of(outage.server());
      }
      if (cause instanceof SQLException e && isConnectionFailure(e)) {
        return Optional.of(POSTGRESQL);
      }
      if (cause instanceof TransactionSystemException e && e.getApplicationException() != null) {
        return server(e.getApplicationException()); // The rollback failed after it.
      }
    }
    return Optional.empty();
  }

  /**
   * Whether a statement has waited for its answer in vain. One that got no connection has not
   * waited, and a new connection would not be slower.
   */
  static boolean isTimeout(@Nullable Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      if (cause instanceof SQLTransientConnectionException) {
        return false;
      }
      if (cause instanceof SQLException && cause.getCause() instanceof SocketTimeoutException) {
        return true;
      }
      if (cause instanceof TransactionSystemException e && e.getApplicationException() != null) {
        return isTimeout(e.getApplicationException()); // The rollback failed after it.
      }
    }
    return false;
  }

  /** Decides by the class of PostgreSQL's error code; a failure of the pool may have none. */
  private static boolean isConnectionFailure(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return e instanceof SQLTransientConnectionException
        || state.startsWith("08")
        || state.startsWith("57P")
        || state.equals("53300");
  }

  /** The message of a server's outage, else of the innermost cause that has one, in one line. */
  public static String reason(Throwable failure) {
    String reason = failure.getClass().getSimpleName();
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      String message = cause.getMessage();
      if (cause instanceof ServerOutage && message != null) {
        return message;
      }
      if (message != null && !message.isBlank()) {
        reason = message.strip().lines().findFirst().orElseThrow();
      }
    }
    return reason;
  }

  /**
   * Logs the start of an outage, unless it is known. A round that began before the last outage
   * ended may have failed because of that one, and is ignored.
   */
  synchronized void begin(String server, Throwable failure, long roundBegan) {
    Long end = ended.get(server);
    boolean isOld = end != null && roundBegan - end < 0;
    if (!isOld && began.putIfAbsent(server, nanos.getAsLong()) == null) {
      LOG.error("{} is unavailable: {}; retrying with back-off", server, reason(failure));
      LOG.debug("{} is unavailable", server, failure);
    }
  }

  /** Logs the end of an outage, after the success of a loop that it had affected. */
  synchronized void end(String server) {
    Long since = began.remove(server);
    if (since != null) {
      ended.put(server, nanos.getAsLong());
      LOG.info("{} is available again after {}", server, format(nanos.getAsLong() - since));
    }
  }

  /**
   * Logs a request's failure caused by an outage, at most once a minute per server, and not while
   * the outage is known.
   *
   * @return whether the failure is an outage; if not, the caller must log it
   */
  public synchronized boolean noteRequest(Throwable failure) {
    Optional<String> server = server(failure);
    server.ifPresent(
        name -> {
          long now = nanos.getAsLong();
          Long last = requestLines.get(name);
          boolean isRecent = last != null && now - last < NANOS_BETWEEN_REQUEST_LINES;
          if (!began.containsKey(name) && !isRecent) {
            requestLines.put(name, now);
            LOG.error("{} failed a request: {}", name, reason(failure));
          }
        });
    return server.isPresent();
  }

  static String format(long nanos) {
    long seconds = Duration.ofNanos(nanos).toSeconds();
    return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
  }

  /** Implemented by exceptions for a server that did not answer or was not ready; retry later. */
  public interface ServerOutage {
    /** The server's name in messages, such as {@code Redis}. */
    String server();
  }
}
