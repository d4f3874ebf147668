package palmares.platform.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Finds a connection pooler that gives a session of PostgreSQL to another client after each
 * transaction. Settings, prepared statements, locks and notifications of a session are lost there.
 */
public final class SessionPooling {
  /** PgBouncer's refusal of each transaction in the mode {@code statement}. */
  private static final String STATEMENT_MODE = "statement pooling mode";

  private SessionPooling() {}

  /**
   * Whether the session of one connection is used by another one, or was replaced, while the other
   * is in a transaction.
   *
   * @throws SQLException if PostgreSQL does not answer
   */
  public static boolean isShared(DataSource database) throws SQLException {
    try (Connection idle = database.getConnection();
        Connection busy = database.getConnection()) {
      int session = session(idle);
      busy.setAutoCommit(false);
      boolean isShared = session(busy) == session || session(idle) != session;
      busy.rollback();
      busy.setAutoCommit(true);
      return isShared;
    } catch (SQLException e) {
      if (String.valueOf(e.getMessage()).contains(STATEMENT_MODE)) {
        return true;
      }
      throw e;
    }
  }

  private static int session(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }
}
