package palmares.platform.infra;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import palmares.testing.PalmaresTest;

/**
 * Compares the output of the examples with their .out files. If an output changes on purpose, write
 * it with psql, as described in the operations page.
 */
@PalmaresTest
class ExamplesTest {
  private static final Path EXAMPLES = Path.of("db", "examples");
  private static final String DATABASE = "palmares_examples";

  private static final Set<Integer> RIGHT_ALIGNED =
      Set.of(Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC);

  @Autowired private JdbcClient tests;
  @Autowired private JdbcConnectionDetails postgres;

  @AfterEach
  void dropDatabase() {
    tests.sql("drop database if exists " + DATABASE + " with (force)").update();
  }

  @Test
  void theExamplesPrintTheirCommittedOutput() throws Exception {
    List<Path> examples = examples();
    assertThat(examples).hasSize(5);
    try (Connection connection = emptyDatabase().getConnection()) {
      for (Path example : examples) {
        Path output = Path.of(example.toString().replaceFirst("sql$", "out"));
        assertThat(printed(connection, example))
            .as("output of %s", example)
            .isEqualTo(Files.readString(output));
      }
    }
  }

  private static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files.filter(file -> file.toString().endsWith(".sql")).sorted().toList();
    }
  }

  private DriverManagerDataSource emptyDatabase() {
    dropDatabase();
    tests.sql("create database " + DATABASE).update();
    String url =
        postgres.getJdbcUrl().replaceFirst("(jdbc:postgresql://[^/]+/)[^?]*", "$1" + DATABASE);
    var dataSource =
        new DriverManagerDataSource(
            url,
            Objects.requireNonNull(postgres.getUsername()),
            Objects.requireNonNull(postgres.getPassword()));
    SchemaTest.flyway(dataSource).load().migrate();
    return dataSource;
  }

  /** The output of a psql that echoes its input: each line, and the result of each statement. */
  private static String printed(Connection connection, Path example)
      throws IOException, SQLException {
    var printed = new StringBuilder();
    var sql = new StringBuilder();
    for (String line : Files.readAllLines(example)) {
      if (line.isEmpty()) {
        continue;
      }
      printed.append(line).append('\n');
      if (line.startsWith("--") || line.startsWith("\\")) {
        continue;
      }
      sql.append(line).append('\n');
      if (line.endsWith(";")) {
        printed.append(result(connection, sql.toString()));
        sql.setLength(0);
      }
    }
    assertThat(sql.toString()).as("unterminated statement").isEmpty();
    return printed.toString();
  }

  private static String result(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql) ? table(statement.getResultSet()) : "";
    } catch (PSQLException e) {
      return "ERROR:  %s\n"
          .formatted(Objects.requireNonNull(e.getServerErrorMessage()).getMessage());
    }
  }

  private static String table(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    var header = new ArrayList<String>();
    var numeric = new ArrayList<Boolean>();
    for (int column = 1; column <= columns.getColumnCount(); column++) {
      header.add(columns.getColumnLabel(column));
      numeric.add(RIGHT_ALIGNED.contains(columns.getColumnType(column)));
    }
    var cells = new ArrayList<List<String>>();
    while (rows.next()) {
      var row = new ArrayList<String>();
      for (int column = 1; column <= header.size(); column++) {
        row.add(blankIfNull(rows.getString(column)));
      }
      cells.add(row);
    }
    return aligned(header, numeric, cells);
  }

  private static String blankIfNull(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** Aligned as by psql: headers centred, numbers to the right, all else to the left. */
  private static String aligned(
      List<String> header, List<Boolean> numeric, List<List<String>> rows) {
    int last = header.size() - 1;
    int[] widths =
        IntStream.rangeClosed(0, last)
            .map(
                column ->
                    Stream.concat(Stream.of(header), rows.stream())
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElseThrow())
            .toArray();
    var table = new StringBuilder();
    table.append(line(last, "|", column -> centred(header.get(column), widths[column])));
    table.append(line(last, "+", column -> "-".repeat(widths[column] + 2)));
    for (List<String> row : rows) {
      table.append(
          line(
              last,
              "|",
              column -> {
                String cell = row.get(column);
                String space = " ".repeat(widths[column] - cell.length());
                return numeric.get(column)
                    ? " " + space + cell + (column < last ? " " : "")
                    : " " + cell + (column < last ? space + " " : "");
              }));
    }
    return table
        .append("(%d row%s)\n\n".formatted(rows.size(), rows.size() == 1 ? "" : "s"))
        .toString();
  }

  private static String line(int last, String separator, IntFunction<String> cell) {
    return IntStream.rangeClosed(0, last).mapToObj(cell).collect(joining(separator, "", "\n"));
  }

  private static String centred(String header, int width) {
    int space = width - header.length();
    return " " + " ".repeat(space / 2) + header + " ".repeat(space - space / 2) + " ";
  }
}
