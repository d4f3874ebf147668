package palmares.operations.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;

/** Reads and deletes a period's rows, on the transaction's own connection. */
@Component
class ArchiveRows {
  private final DataSource dataSource;
  private final JdbcClient jdbc;

  ArchiveRows(DataSource dataSource, JdbcClient jdbc) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
  }

  /** Writes what belongs to a file, and answers how many rows that is. */
  long copy(String file, PeriodId period, OutputStream out) throws IOException {
    String select =
        String.valueOf(ArchiveSql.FILES.get(file)).formatted(period.value(), outcomes(period));
    // COPY writes times in the session's zone: what is written again must be the same everywhere.
    jdbc.sql("set local timezone = 'UTC'").update();
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      return connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyOut("copy (" + select + ") to stdout with (format csv, header)", out);
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("COPY of " + file, e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private String outcomes(PeriodId period) {
    return jdbc
        .sql("select id from revision where period_id = :id order by id")
        .param("id", period.value())
        .query(String.class)
        .list()
        .stream()
        .collect(Collectors.joining(", "));
  }

  /** Deletes a table's rows of the period, and answers how many they were. */
  long delete(String table, PeriodId period) {
    return jdbc.sql("delete from " + table + " where period_id = :id")
        .param("id", period.value())
        .update();
  }
}
