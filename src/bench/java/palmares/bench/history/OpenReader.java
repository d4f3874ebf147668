package palmares.bench.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import palmares.bench.Parts;

/** A transaction that has read the lines and awards of one outcome, and does not end. */
final class OpenReader implements AutoCloseable {
  private final Connection connection;

  OpenReader(Parts parts) {
    try {
      connection = parts.get(DataSource.class).getConnection();
      connection.setAutoCommit(false);
    } catch (SQLException e) {
      throw new IllegalStateException("a reader", e);
    }
  }

  /** Reads the first outcome that has tables of its own. */
  void readFirst() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select count(*) from standing where outcome = 1");
      statement.execute("select count(*) from award_change where outcome = 1");
    } catch (SQLException e) {
      throw new IllegalStateException("a reader", e);
    }
  }

  @Override
  public void close() {
    try (connection) {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw new IllegalStateException("a reader", e);
    }
  }
}
