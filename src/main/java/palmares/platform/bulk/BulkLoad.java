package palmares.platform.bulk;

import de.bytefish.pgbulkinsert.row.SimpleRow;
import de.bytefish.pgbulkinsert.row.SimpleRowWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.sql.RefusedWrites;

/** Loads rows by binary COPY on the connection of the current transaction. */
@Component
public final class BulkLoad {
  private static final byte[] HEADER = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };
  private static final byte[] TRAILER = {(byte) 0xff, (byte) 0xff};
  private static final SQLExceptionTranslator TRANSLATOR = new SQLStateSQLExceptionTranslator();

  private final DataSource dataSource;
  private final TransactionTemplate transaction;
  private final RefusedWrites refused;

  BulkLoad(DataSource dataSource, TransactionTemplate transaction, RefusedWrites refused) {
    this.dataSource = dataSource;
    this.transaction = transaction;
    this.refused = refused;
  }

  /** A table and the columns that a load writes, by position. */
  public static SimpleRowWriter.Table table(String name, String... columns) {
    return new SimpleRowWriter.Table(name, columns);
  }

  /**
   * Appends one row per item.
   *
   * @param write sets the columns of the table by position
   * @throws DataIntegrityViolationException if the server rejects a row
   * @throws DataAccessException if the rows cannot be written for another reason
   */
  public <T> void into(
      SimpleRowWriter.Table table, Collection<T> items, BiConsumer<SimpleRow, T> write) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try (var writer = new SimpleRowWriter(table, connection.unwrap(PGConnection.class))) {
      items.forEach(item -> writer.startRow(row -> write.accept(row, item)));
    } catch (SQLException | RuntimeException e) {
      refused.note(e);
      throw translated("COPY into " + table.getTable(), e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /**
   * Appends rows that {@link BinaryRows} has encoded.
   *
   * @param target a table and its columns in the order of the fields: {@code line (place, member)}
   * @throws DataAccessException as {@link #into} does
   */
  public void blocks(String target, List<byte[]> blocks) {
    stream(target, blocks::forEach);
  }

  /**
   * Appends rows while they are encoded, so that one block is in memory.
   *
   * @param target as of {@link #blocks}
   * @param rows passes on the blocks of {@link BinaryRows}; must not use the connection of the
   *     transaction, which is busy
   * @throws DataAccessException as {@link #into} does
   */
  public void stream(String target, Consumer<Consumer<byte[]>> rows) {
    copy(target, rows);
  }

  /**
   * Starts a thread that copies blocks of {@link BinaryRows} in its own transaction.
   *
   * @param target a table and its columns in the order of the fields: {@code line_7 (place,
   *     member)}
   * @param first runs in the transaction before the first block
   */
  public CopyPipe pipe(String target, Runnable first) {
    return new CopyPipe(
        "copy " + target.substring(0, target.indexOf(' ')),
        blocks ->
            transaction.execute(
                status -> {
                  first.run();
                  return copy(target, sink -> each(blocks, sink));
                }));
  }

  /**
   * @param blocks returns null after the last block
   */
  private static void each(Supplier<byte @Nullable []> blocks, Consumer<byte[]> sink) {
    for (byte[] block = blocks.get(); block != null; block = blocks.get()) {
      sink.accept(block);
    }
  }

  /**
   * Copies blocks of {@link BinaryRows} in the transaction of this thread.
   *
   * @return the number of rows
   */
  private long copy(String target, Consumer<Consumer<byte[]>> rows) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    CopyIn copy = null;
    try {
      CopyIn begun =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("copy " + target + " from stdin (format binary)");
      copy = begun;
      write(begun, HEADER);
      rows.accept(block -> write(begun, block));
      write(begun, TRAILER);
      return begun.endCopy();
    } catch (SQLException | RuntimeException e) {
      cancel(copy);
      refused.note(e);
      throw translated("COPY into " + target, e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private static void write(CopyIn copy, byte[] bytes) {
    try {
      copy.writeToCopy(bytes, 0, bytes.length);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void cancel(@Nullable CopyIn copy) {
    try {
      if (copy != null && copy.isActive()) {
        copy.cancelCopy();
      }
    } catch (SQLException e) {
      // The transaction is rolled back because of the failure that led here.
    }
  }

  /** Translates by the server's SQLSTATE, whose exception the writer may have wrapped. */
  static RuntimeException translated(String task, Exception failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof SQLException)) {
      cause = cause.getCause();
    }
    if (cause instanceof SQLException rejected) {
      DataAccessException translated = TRANSLATOR.translate(task, null, rejected);
      return translated == null ? new UncategorizedSQLException(task, null, rejected) : translated;
    }
    return failure instanceof RuntimeException other
        ? other
        : new IllegalStateException(task, failure);
  }
}
