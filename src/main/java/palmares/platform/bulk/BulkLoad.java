package palmares.platform.bulk;

import de.bytefish.pgbulkinsert.row.SimpleRow;
import de.bytefish.pgbulkinsert.row.SimpleRowWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.stereotype.Component;

/** Loads rows by binary COPY on the transaction's own connection: they commit with it or not. */
@Component
public final class BulkLoad {
  private static final SQLExceptionTranslator STATES = new SQLStateSQLExceptionTranslator();

  private final DataSource dataSource;

  BulkLoad(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** A table and the columns that a load sets, by position. */
  public static SimpleRowWriter.Table table(String name, String... columns) {
    return new SimpleRowWriter.Table(name, columns);
  }

  /**
   * Appends one row an item.
   *
   * @param table the table and the columns that {@code write} sets, by position
   * @throws DataIntegrityViolationException if the server refuses a row
   * @throws DataAccessException if the rows cannot be written for another reason
   */
  public <T> void into(
      SimpleRowWriter.Table table, Collection<T> items, BiConsumer<SimpleRow, T> write) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try (var writer = new SimpleRowWriter(table, connection.unwrap(PGConnection.class))) {
      items.forEach(item -> writer.startRow(row -> write.accept(row, item)));
    } catch (SQLException | RuntimeException e) {
      throw translated("COPY into " + table.getTable(), e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /**
   * Appends rows that are encoded already.
   *
   * @param target a table and its columns in the order of the fields: {@code line (place, member)}
   * @throws DataAccessException as {@link #into} does
   */
  public void blocks(String target, List<byte[]> blocks) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    BinaryCopy copy = null;
    try {
      copy = new BinaryCopy(connection, target);
      for (byte[] block : blocks) {
        copy.write(block);
      }
      copy.finish();
    } catch (SQLException e) {
      if (copy != null) {
        copy.cancel();
      }
      throw translated("COPY into " + target, e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /** By the server's SQLSTATE, which the writer may have wrapped. */
  static RuntimeException translated(String task, Exception failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof SQLException)) {
      cause = cause.getCause();
    }
    if (cause instanceof SQLException refused) {
      DataAccessException known = STATES.translate(task, null, refused);
      return known == null ? new UncategorizedSQLException(task, null, refused) : known;
    }
    return failure instanceof RuntimeException unknown
        ? unknown
        : new IllegalStateException(task, failure);
  }
}
