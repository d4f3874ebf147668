package palmares.bench.gauge;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;

/** Reads memory and statistics of the application's PostgreSQL sessions. */
public final class PostgresSessions {
  private final HikariDataSource pool;

  public PostgresSessions(Beans beans) {
    try {
      this.pool = beans.get(DataSource.class).unwrap(HikariDataSource.class);
    } catch (SQLException e) {
      throw new IllegalStateException("the pool of connections", e);
    }
  }

  /** Bytes of memory of the largest session. */
  public long maxMemory() {
    return inEach("select sum(total_bytes)::bigint from pg_backend_memory_contexts").stream()
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }

  /**
   * Rows and index entries that all sessions have read, by table or index. The tables of outcomes
   * are added up.
   */
  public Map<String, Long> rowsRead() {
    inEach("select 0 from pg_stat_force_next_flush()");
    var rows = new HashMap<String, Long>();
    JdbcClient.create(pool)
        .sql(
            """
            select
              regexp_replace(relname, '_[0-9]+', '') as name,
              sum(pg_stat_get_tuples_returned(oid) + pg_stat_get_tuples_fetched(oid))::bigint
                as rows
            from pg_class
            where relkind in ('r', 'i')
              and relnamespace not in (
                'pg_catalog'::regnamespace, 'information_schema'::regnamespace)
            group by 1
            """)
        .query(
            row -> {
              rows.put(row.getString("name"), row.getLong("rows"));
            });
    return rows;
  }

  /** Bytes of PostgreSQL's catalog. */
  public long catalogBytes() {
    return one(
        """
        select sum(pg_total_relation_size(oid))::bigint
        from pg_class
        where relkind = 'r' and relnamespace = 'pg_catalog'::regnamespace
        """);
  }

  /** Replaces all sessions by new ones, which have empty caches. */
  public void replaceAll() {
    pool.getHikariPoolMXBean().softEvictConnections();
  }

  private long one(String query) {
    try (Connection connection = pool.getConnection()) {
      return number(connection, query);
    } catch (SQLException e) {
      throw new IllegalStateException(query, e);
    }
  }

  /** Runs a query once in each idle session, by borrowing all of them at the same time. */
  private List<Long> inEach(String query) {
    var taken = new ArrayList<Connection>();
    var numbers = new ArrayList<Long>();
    try {
      int free = pool.getMaximumPoolSize() - pool.getHikariPoolMXBean().getActiveConnections();
      for (int i = 0; i < free; i++) {
        taken.add(pool.getConnection());
      }
      for (Connection connection : taken) {
        numbers.add(number(connection, query));
      }
      return numbers;
    } catch (SQLException e) {
      throw new IllegalStateException(query, e);
    } finally {
      taken.forEach(PostgresSessions::giveBack);
    }
  }

  private static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("a connection that is given back", e);
    }
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
