package palmares.platform.bulk;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
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
import palmares.platform.bulk.CopyPipe.Block;
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

  /**
   * Appends rows that {@link BinaryRows} has encoded.
   *
   * @param target a table and its columns in the order of the fields: {@code line (place, member)}
   * @throws DataIntegrityViolationException if the server rejects a row
   * @throws DataAccessException if the rows cannot be written for another reason
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
   * @return the number of rows
   * @throws DataAccessException as {@link #blocks} does
   */
  public long stream(String target, Consumer<Consumer<byte[]>> rows) {
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
      throw translated("COPY into " + table(target), e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /**
   * Starts a thread that copies blocks of {@link BinaryRows} in its own transaction.
   *
   * @param name of the thread
   * @param first runs in the transaction before the first block
   * @param last runs in the transaction after the last block, with the number of rows by target
   */
  public CopyPipe pipe(String name, Runnable first, Consumer<Map<String, Long>> last) {
    return new CopyPipe(
        name,
        blocks ->
            transaction.execute(
                status -> {
                  first.run();
                  Map<String, Long> rows = copyAll(blocks);
                  last.accept(rows);
                  return rows;
                }));
  }

  /**
   * @param blocks returns null after the last block
   */
  private Map<String, Long> copyAll(Supplier<@Nullable Block> blocks) {
    var rows = new HashMap<String, Long>();
    var next = new AtomicReference<@Nullable Block>(blocks.get());
    for (Block block = next.get(); block != null; block = next.get()) {
      String target = block.target();
      rows.merge(target, stream(target, sink -> copySame(target, next, blocks, sink)), Long::sum);
    }
    return rows;
  }

  private static void copySame(
      String target,
      AtomicReference<@Nullable Block> next,
      Supplier<@Nullable Block> blocks,
      Consumer<byte[]> sink) {
    for (Block block = next.get();
        block != null && block.target().equals(target);
        block = next.get()) {
      sink.accept(block.rows());
      next.set(blocks.get());
    }
  }

  private static String table(String target) {
    return target.substring(0, target.indexOf(' '));
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
