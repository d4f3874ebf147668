package palmares.platform.threads;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how long a thread waits for each answer of PostgreSQL while it has a bound, so that a
 * server that neither answers nor hangs up is noticed. Closings have none: their statements may
 * take long.
 */
public final class AnswerTimeouts {
  private static final ThreadLocal<@Nullable Duration> BOUND = new ThreadLocal<>();

  private AnswerTimeouts() {}

  /** Bounds the answers for the calling thread, until {@link #unbind}. */
  public static void bind(Duration timeout) {
    BOUND.set(timeout);
  }

  public static void unbind() {
    BOUND.remove();
  }

  /** The bound of the calling thread; null if it has none. */
  static @Nullable Duration bound() {
    return BOUND.get();
  }

  /** Makes a call with a bound; if the thread has one already, that one counts. */
  public static <T> T within(Duration timeout, Supplier<T> call) {
    if (BOUND.get() != null) {
      return call.get();
    }
    bind(timeout);
    try {
      return call.get();
    } finally {
      unbind();
    }
  }

  /**
   * Gives a connection the bound of the calling thread, if it has one; closes it if that fails. The
   * pool removes the bound when the connection is given back.
   */
  public static Connection bounded(Connection connection) throws SQLException {
    Duration timeout = BOUND.get();
    if (timeout != null) {
      try {
        int millis = (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE);
        connection.setNetworkTimeout(Runnable::run, millis);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    }
    return connection;
  }
}
