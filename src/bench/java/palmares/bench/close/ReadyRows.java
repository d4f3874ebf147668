package palmares.bench.close;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Rows in the server's binary format, in a file: nothing is left to be encoded. */
final class ReadyRows implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final Path file;

  private ReadyRows(Path file) {
    this.file = file;
  }

  /** The rows of a query. */
  static ReadyRows of(Connection connection, String query) throws SQLException {
    try {
      var rows = new ReadyRows(Files.createTempFile("palmares-rows", ".copy"));
      try (OutputStream out = Files.newOutputStream(rows.file)) {
        copies(connection).copyOut("copy (%s) to stdout binary".formatted(query), out);
        return rows;
      } catch (SQLException | IOException e) {
        rows.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("rows that lie ready", e);
    }
  }

  /**
   * Loads all of them by one COPY.
   *
   * @param columns of the table, in the query's order
   */
  void copyInto(Connection connection, String table, String columns) throws SQLException {
    try (InputStream in = Files.newInputStream(file)) {
      copies(connection)
          .copyIn("copy %s (%s) from stdin binary".formatted(table, columns), in, BUFFER);
    } catch (IOException e) {
      throw new UncheckedIOException("rows that lie ready", e);
    }
  }

  private static CopyManager copies(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("rows that lie ready", e);
    }
  }
}
