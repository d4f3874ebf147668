package palmares.bench.close;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.bench.Beans;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.seeding.LiveBoardReader;
import palmares.bench.seeding.SeededPeriod;
import palmares.platform.bulk.ParallelRunner;

/**
 * Measures the floor of a closing: the least work that these servers must do for a board of this
 * size.
 *
 * <ul>
 *   <li>Reading: the same ZSET, by ranges, whose elements are discarded.
 *   <li>Rows: two parallel COPY of the same lines and payments, already encoded in the binary
 *       format, into tables with the same columns and checks.
 *   <li>Indexes: the three unique indexes of these tables, built in parallel.
 * </ul>
 *
 * <p>The floor has no decoding, ranking, rewards, reconciliation, checksums, manifest, constraints
 * across tables, lease or checkpoint.
 */
final class Floor {
  private static final int RANGE = 10_000;

  private static final List<Copied> TABLES =
      List.of(
          new Copied(
              "line", "line", "reached_at, points, then_by, arrival, outcome, place, rank, member"),
          new Copied("payment", "posted_payment", "amount, outcome, rule, purpose, member"));

  private static final List<String> INDEXES =
      List.of("floor_line (member)", "floor_payment (member, rule, purpose)", "floor_line (place)");

  private final LiveBoardReader live;
  private final DataSource dataSource;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;

  Floor(Beans beans) {
    this.live = new LiveBoardReader(beans);
    this.dataSource = beans.get(DataSource.class);
    this.jdbc = beans.get(JdbcTemplate.class);
    this.transaction = beans.get(TransactionTemplate.class);
  }

  /**
   * A table to copy.
   *
   * @param source the table or view of the rows
   */
  private record Copied(String name, String source, String columns) {
    String floor() {
      return "floor_" + name;
    }

    String rows(int outcome) {
      return "select %s from %s where outcome = %s".formatted(columns, source, outcome);
    }
  }

  /**
   * Repeats the bare work of a finished closing.
   *
   * @param seeded its period, whose live board still exists
   * @param outcome its outcome
   * @param readings receives the seconds of each part and of all parts
   * @return the totals of the copied tables
   * @throws WrongResult if the numbers of lines read and written differ
   */
  ClosingTotals measure(SeededPeriod seeded, int outcome, Readings readings) {
    long[] read = {0};
    double reading = seconds(() -> read[0] = live.readAll(seeded, RANGE));
    double copying = copy(outcome);
    double indexing = seconds(this::index);
    ClosingTotals written =
        ClosingTotals.of(JdbcClient.create(jdbc), "floor_line", "floor_payment");
    jdbc.execute("drop table floor_line, floor_payment");
    readings.note("floor_read_seconds", reading);
    readings.note("floor_copy_seconds", copying);
    readings.note("floor_index_seconds", indexing);
    readings.note("floor_seconds", reading + copying + indexing);
    if (read[0] != written.lines()) {
      throw new WrongResult(
          "the floor read %d lines of Redis, and wrote %d".formatted(read[0], written.lines()));
    }
    return written;
  }

  private static double seconds(Timing.Work<RuntimeException> work) {
    return Timing.seconds(Timing.time(work));
  }

  private double copy(int outcome) {
    List<EncodedRows> ready = TABLES.stream().map(table -> ready(table, outcome)).toList();
    try {
      return seconds(
          () ->
              ParallelRunner.run(
                  Stream.of(0, 1)
                      .map(i -> (Runnable) () -> copy(ready.get(i), TABLES.get(i)))
                      .toList()));
    } finally {
      ready.forEach(EncodedRows::close);
    }
  }

  private EncodedRows ready(Copied table, int outcome) {
    jdbc.execute(
        "create table %s (like %s including constraints) with (autovacuum_enabled = off)"
            .formatted(table.floor(), table.name()));
    try (Connection connection = dataSource.getConnection()) {
      return EncodedRows.of(connection, table.rows(outcome));
    } catch (SQLException e) {
      throw new IllegalStateException("the floor's rows", e);
    }
  }

  private void copy(EncodedRows rows, Copied table) {
    try (Connection connection = dataSource.getConnection()) {
      rows.copyInto(connection, table.floor(), table.columns());
    } catch (SQLException e) {
      throw new IllegalStateException("the floor's COPY", e);
    }
  }

  private void index() {
    ParallelRunner.run(INDEXES.stream().map(index -> (Runnable) () -> index(index)).toList());
  }

  /** Builds an index with the memory and workers that a closing uses. */
  private void index(String index) {
    transaction.executeWithoutResult(
        status -> {
          jdbc.execute("set local maintenance_work_mem = '256MB'");
          jdbc.execute("set local max_parallel_maintenance_workers = 0");
          jdbc.execute("create unique index on " + index);
        });
  }

  /** A file of rows in PostgreSQL's binary format. */
  static final class EncodedRows implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final Path file;

    private EncodedRows(Path file) {
      this.file = file;
    }

    /** Writes the rows of a query to a file. */
    static EncodedRows of(Connection connection, String query) throws SQLException {
      try {
        var rows = new EncodedRows(Files.createTempFile("palmares-rows", ".copy"));
        try (OutputStream out = Files.newOutputStream(rows.file)) {
          copies(connection).copyOut("copy (%s) to stdout binary".formatted(query), out);
          return rows;
        } catch (SQLException | IOException e) {
          rows.close();
          throw e;
        }
      } catch (IOException e) {
        throw new UncheckedIOException("encoded rows", e);
      }
    }

    /**
     * Loads the rows by one COPY.
     *
     * @param columns of the table, in the query's order
     */
    void copyInto(Connection connection, String table, String columns) throws SQLException {
      try (InputStream in = Files.newInputStream(file)) {
        copies(connection)
            .copyIn("copy %s (%s) from stdin binary".formatted(table, columns), in, BUFFER);
      } catch (IOException e) {
        throw new UncheckedIOException("encoded rows", e);
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
        throw new UncheckedIOException("encoded rows", e);
      }
    }
  }
}
