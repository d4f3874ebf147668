package palmares.platform.infra;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Hands out connections of a pool. While PostgreSQL cannot be reached, callers fail at once, and
 * one thread in reserve goes on trying: an outage keeps no request waiting. If all connections are
 * in use, callers wait five times as long as the pool alone would let them.
 *
 * <p>This class is thread-safe.
 */
class PooledConnections extends DelegatingDataSource {
  private static final int MAX_WAITS = 5;

  private final HikariDataSource pool;
  private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("postgresql check ");
  private final AtomicBoolean trying = new AtomicBoolean();

  /** Why the last connection could not be had; null while PostgreSQL can be reached. */
  private volatile @Nullable PostgresUnavailable outage;

  PooledConnections(HikariDataSource pool) {
    super(pool);
    this.pool = pool;
    threads.setDaemon(true);
  }

  @Override
  public Connection getConnection() throws SQLException {
    PostgresUnavailable known = outage;
    if (known != null && isEmpty()) {
      tryInReserve();
      throw PostgresUnavailable.of(pool.getJdbcUrl(), known);
    }
    return connect();
  }

  private Connection connect() throws SQLException {
    for (int waited = 1; ; waited++) {
      try {
        Connection connection = super.getConnection();
        outage = null;
        return connection;
      } catch (SQLTransientConnectionException e) {
        if (isEmpty()) {
          throw unavailable(e);
        }
        if (waited == MAX_WAITS) {
          throw e;
        }
      } catch (PoolInitializationException e) {
        throw PostgresUnavailable.of(pool.getJdbcUrl(), e);
      }
    }
  }

  private PostgresUnavailable unavailable(SQLException failure) {
    PostgresUnavailable found = PostgresUnavailable.of(pool.getJdbcUrl(), failure);
    outage = found;
    return found;
  }

  /** Whether the pool has started, and has no connection at all. */
  private boolean isEmpty() {
    HikariPoolMXBean state = pool.getHikariPoolMXBean();
    return state != null && state.getTotalConnections() == 0;
  }

  private void tryInReserve() {
    if (!trying.compareAndSet(false, true)) {
      return;
    }
    threads.execute(
        () -> {
          try {
            connect().close();
          } catch (SQLException | RuntimeException e) {
            // The next caller starts another try.
          } finally {
            trying.set(false);
          }
        });
  }
}
