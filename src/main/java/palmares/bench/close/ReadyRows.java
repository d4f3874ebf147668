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

/** Rows in the server's own binary format, in a file: nothing is left to be worked out of them. */
final class ReadyRows implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final CopyManager copies;
  private final Path file;

  private ReadyRows(CopyManager copies, Path file) {
    this.copies = copies;
    this.file = file;
  }

  /** What the query answers. */
  static ReadyRows of(Connection connection, String query) throws SQLException {
    try {
      CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
      var rows = new ReadyRows(copies, Files.createTempFile("palmares-rows", ".copy"));
      try (OutputStream out = Files.newOutputStream(rows.file)) {
        copies.copyOut("copy (%s) to stdout binary".formatted(query), out);
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
  void copyInto(String table, String columns) throws SQLException {
    try (InputStream in = Files.newInputStream(file)) {
      copies.copyIn("copy %s (%s) from stdin binary".formatted(table, columns), in, BUFFER);
    } catch (IOException e) {
      throw new UncheckedIOException("rows that lie ready", e);
    }
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
