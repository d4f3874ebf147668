package palmares.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Deletes all rows between two tests. It uses a dedicated session and changes no table that stays,
 * so that the sessions of the application keep the plans of their statements. To plan them is most
 * of what PostgreSQL does for the tests.
 */
final class TableCleaner implements AutoCloseable {
  /** The tables that are never emptied: the migrations' own records, and Quartz's. */
  private static final String NAMES_OF_TABLES =
      """
      select string_agg(
        format('case when exists (select from %I) then %L end', tablename, tablename),
        ', ' order by tablename)
      from pg_tables
      where schemaname = current_schema()
        and tablename not like 'flyway%'
        and tablename not like 'qrtz%'
        and tablename <> 'installation'
        and tablename !~ '^(line|payment)_(from_)?[0-9]+$'
      """;

  /** The tables with rows; it restarts a sequence, too. */
  private static final String WITH_ROWS =
      "select array_remove(array[%s], null), setval('freeze_clock', 0)";

  /** The tables of big periods; whole volumes come last. */
  private static final String OF_BIG_PERIODS =
      """
      select array(
        select relname::text
        from pg_class
        where relnamespace = current_schema()::regnamespace
          and relkind in ('r', 'p')
          and relname ~ '^(line|payment)_(from_)?[0-9]+$'
        order by relname ~ 'from')
      """;

  private final DataSource database;
  private @Nullable Session session;

  TableCleaner(DataSource database) {
    this.database = database;
  }

  private record Session(
      Connection connection, PreparedStatement withRows, PreparedStatement ofBigPeriods) {
    static Session open(DataSource database) throws SQLException {
      Connection connection = OwnerSession.connect(database);
      try (Statement statement = connection.createStatement()) {
        statement.execute("set plan_cache_mode = force_generic_plan");
        try (ResultSet names = statement.executeQuery(NAMES_OF_TABLES)) {
          names.next();
          return new Session(
              connection,
              connection.prepareStatement(WITH_ROWS.formatted(names.getString(1))),
              connection.prepareStatement(OF_BIG_PERIODS));
        }
      }
    }

    void clean() throws SQLException {
      List<String> drops = names(ofBigPeriods).stream().map("drop table %s"::formatted).toList();
      run(drops);
      List<String> tables = names(withRows);
      if (!tables.isEmpty()) {
        connection.setAutoCommit(false);
        run(List.of(Guards.OFF));
        run(tables.stream().map("delete from %s"::formatted).toList());
        run(List.of(Guards.ON));
        connection.commit();
        connection.setAutoCommit(true);
      }
    }

    private static List<String> names(PreparedStatement query) throws SQLException {
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return Arrays.asList((String[]) row.getArray(1).getArray());
      }
    }

    private void run(List<String> statements) throws SQLException {
      if (!statements.isEmpty()) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(String.join(";", statements));
        }
      }
    }
  }

  /** Deletes all rows; a session that has failed, or that a test has ended, is replaced. */
  void clean() {
    try {
      Session present = session;
      if (present == null || !present.connection().isValid(1)) {
        present = Session.open(database);
      }
      session = null;
      present.clean();
      session = present;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    if (session != null) {
      session.connection().close();
      session = null;
    }
  }
}
