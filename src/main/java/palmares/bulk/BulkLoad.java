package palmares.bulk;

import de.bytefish.pgbulkinsert.row.SimpleRow;
import de.bytefish.pgbulkinsert.row.SimpleRowWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.stereotype.Component;

/** Loads rows by binary COPY on the transaction's own connection: they commit with it or not. */
@Component
public final class BulkLoad {
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
   * @throws DataAccessResourceFailureException if the server refuses the rows
   */
  public <T> void into(
      SimpleRowWriter.Table table, Collection<T> items, BiConsumer<SimpleRow, T> write) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try (var writer = new SimpleRowWriter(table, connection.unwrap(PGConnection.class))) {
      items.forEach(item -> writer.startRow(row -> write.accept(row, item)));
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("COPY into " + table.getTable(), e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }
}
