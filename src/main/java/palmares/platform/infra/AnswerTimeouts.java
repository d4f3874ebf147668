package palmares.platform.infra;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.stereotype.Component;

/**
 * Bounds how long a thread waits for each answer of PostgreSQL while it has a bound, so that a
 * server that neither answers nor hangs up is noticed. Closings have none: their statements may
 * take long. The pool removes the bound when a connection is given back.
 */
@Component
public final class AnswerTimeouts implements BeanPostProcessor {
  private static final ThreadLocal<@Nullable Duration> BOUND = new ThreadLocal<>();

  /** Bounds the answers for the calling thread, until {@link #unbind}. */
  public static void bind(Duration timeout) {
    BOUND.set(timeout);
  }

  public static void unbind() {
    BOUND.remove();
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

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof DataSource database && name.equals("dataSource")
        ? new DelegatingDataSource(
            database instanceof HikariDataSource pool ? new PooledConnections(pool) : database) {
          @Override
          public Connection getConnection() throws SQLException {
            return bounded(super.getConnection());
          }
        }
        : bean;
  }

  private static Connection bounded(Connection connection) throws SQLException {
    Duration timeout = BOUND.get();
    if (timeout != null) {
      try {
        connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    }
    return connection;
  }
}
