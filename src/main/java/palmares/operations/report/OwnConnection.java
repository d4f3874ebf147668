package palmares.operations.report;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import palmares.platform.sql.TypedJdbcClient;

/**
 * A connection with temporary tables, in which a report adds up a long history. Each statement is a
 * transaction of few outcomes, since one statement for all would lock every table of history. No
 * other connection is taken meanwhile, since callers could then wait for each other's.
 */
record OwnConnection(Connection connection, JdbcClient jdbc) {
  static final int ROWS_PER_FETCH = 5_000;

  /** Reads and writes the temporary tables. */
  @FunctionalInterface
  interface Work<T> {
    T run(OwnConnection own) throws SQLException;
  }

  /** Creates the tables, works with them, and drops them. */
  static <T> T with(JdbcOperations database, String create, String drop, Work<T> work) {
    ConnectionCallback<T> callback =
        connection -> {
          var jdbc =
              new TypedJdbcClient(
                  new JdbcTemplate(new SingleConnectionDataSource(connection, true)));
          jdbc.sql(create).update();
          try {
            return work.run(new OwnConnection(connection, jdbc));
          } finally {
            jdbc.sql(drop).update();
          }
        };
    return Objects.requireNonNull(database.execute(callback));
  }

  /** Reads row by row, which the driver does in a transaction only. */
  void each(StatementSpec select, RowCallbackHandler row) throws SQLException {
    boolean isAlone = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try {
      select.withFetchSize(ROWS_PER_FETCH).query(row);
    } finally {
      if (isAlone) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }
}
