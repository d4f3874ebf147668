package palmares.platform.bulk;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Writes blocks of {@link BinaryRows} into a table, in the transaction of a connection. */
final class BinaryCopy {
  private static final byte[] HEAD = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };
  private static final byte[] END = {(byte) 0xff, (byte) 0xff};

  private final CopyIn copy;

  /**
   * @param target a table and its columns in the order of the fields: {@code line (place, member)}
   */
  BinaryCopy(Connection connection, String target) throws SQLException {
    copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("copy " + target + " from stdin (format binary)");
    copy.writeToCopy(HEAD, 0, HEAD.length);
  }

  void write(byte[] block) throws SQLException {
    copy.writeToCopy(block, 0, block.length);
  }

  /** Answers how many rows there are now. */
  long finish() throws SQLException {
    copy.writeToCopy(END, 0, END.length);
    return copy.endCopy();
  }

  void cancel() {
    try {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    } catch (SQLException e) {
      // The transaction rolls back with the failure that led here.
    }
  }
}
