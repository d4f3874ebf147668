package palmares.testing;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A session like those of the application, but that of a replica: no foreign key is checked there,
 * and only the triggers run that are enabled always. A session that became one for a while would
 * plan all of its statements again.
 */
final class OwnerSession implements AutoCloseable {
  private final DataSource database;
  private @Nullable SingleConnectionDataSource session;

  OwnerSession(DataSource database) {
    this.database = database;
  }

  /** Opens one with the settings of the application's sessions. */
  static Connection connect(DataSource database) throws SQLException {
    var pool = database.unwrap(HikariDataSource.class);
    var properties = new Properties();
    properties.putAll(pool.getDataSourceProperties());
    properties.setProperty("user", pool.getUsername());
    properties.setProperty("password", pool.getPassword());
    Connection connection = DriverManager.getConnection(pool.getJdbcUrl(), properties);
    connection.setSchema(pool.getSchema());
    try (Statement statement = connection.createStatement()) {
      statement.execute(pool.getConnectionInitSql());
      statement.execute("set session_replication_role = replica");
    }
    return connection;
  }

  /**
   * Runs work in a transaction of this session, which all beans take part in, and takes it back.
   */
  <T> T rolledBack(Supplier<T> work) {
    DataSource own = session();
    return Objects.requireNonNull(
        new TransactionTemplate(new JdbcTransactionManager(own))
            .execute(
                status -> {
                  status.setRollbackOnly();
                  Object connection =
                      Objects.requireNonNull(TransactionSynchronizationManager.getResource(own));
                  TransactionSynchronizationManager.bindResource(database, connection);
                  try {
                    return work.get();
                  } finally {
                    TransactionSynchronizationManager.unbindResource(database);
                  }
                }));
  }

  private DataSource session() {
    try {
      SingleConnectionDataSource present = session;
      if (present == null || !present.getConnection().isValid(1)) {
        close();
        present = new SingleConnectionDataSource(connect(database), true);
        session = present;
      }
      return present;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (session != null) {
      session.destroy();
      session = null;
    }
  }
}
