package palmares.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.testing.WorldTest;

/** What an earlier version left goes on where it was: what is paid stands. */
@WorldTest
class UpgradeTest {
  private static final String BEFORE_REVISIONS = "15";

  @Autowired private JdbcConnectionDetails postgres;
  @Autowired private JdbcClient jdbc;

  @Test
  void periodsInEveryStateGetTheRevisionThatTheyStandAt() throws SQLException {
    jdbc.sql("drop database if exists palmares_upgrade with (force)").update();
    jdbc.sql("create database palmares_upgrade").update();
    String url =
        postgres.getJdbcUrl().replaceFirst("(jdbc:postgresql://[^/]+/)[^?]*", "$1palmares_upgrade");
    migrate(url, BEFORE_REVISIONS);
    try (Connection connection =
            DriverManager.getConnection(url, postgres.getUsername(), postgres.getPassword());
        Statement statement = connection.createStatement()) {
      statement.execute(PERIODS);
      migrate(url, "latest");
      assertThat(rows(statement))
          .containsExactly(
              "awarded null unposted",
              "paid approved posted",
              "ranked null unposted",
              "settled approved posted");
    } finally {
      jdbc.sql("drop database palmares_upgrade with (force)").update();
    }
  }

  private static final String PERIODS =
      """
      insert into definition (hash, board, source, first_used_at)
      values (repeat('a', 64), 'old', 'title: Old', now());
      insert into period (
        board, name, starts_at, ends_at, closes_at, definition_hash, state, opened_at, sealed_at,
        sealed_members, sealed_points, sealed_events, settled_at, expires_at)
      select
        'old', state, now() + n * interval '1 day', now() + (n + 1) * interval '1 day', null,
        repeat('a', 64), state, now(), now(), 0, 0, 0,
        case state when 'settled' then now() end, now()
      from unnest(array['reconciled', 'ranked', 'awarded', 'paid', 'settled'])
        with ordinality as old (state, n)
      """;

  private static List<String> rows(Statement statement) throws SQLException {
    var rows = new ArrayList<String>();
    try (ResultSet row =
        statement.executeQuery(
            """
            select concat_ws(' ', period.state, coalesce(verdict, 'null'),
              case when posted_at is null then 'unposted' else 'posted' end)
            from revision
            join period on period.id = revision.period_id
            order by 1
            """)) {
      while (row.next()) {
        rows.add(row.getString(1));
      }
    }
    return rows;
  }

  private void migrate(String url, String target) {
    Flyway.configure()
        .dataSource(url, postgres.getUsername(), postgres.getPassword())
        .locations("classpath:db/migration")
        .target(target)
        .load()
        .migrate();
  }
}
