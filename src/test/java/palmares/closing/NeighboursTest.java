package palmares.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;
import palmares.bulk.OwnTables;
import palmares.bulk.TableInUse;
import palmares.period.Period;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What one period's closing costs does not depend on how many others have tables of their own. */
@WorldTest
@TestPropertySource(
    properties = {
      "palmares.history.own-tables-from=30",
      "palmares.history.own-tables=2",
      "spring.datasource.hikari.data-source-properties.ApplicationName=neighbours"
    })
class NeighboursTest {
  private static final List<String> TABLES =
      List.of("snapshot", "standing", "award", "transfer", "entry");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private OwnTables own;
  @Autowired private DataSource dataSource;
  @Autowired private JdbcClient jdbc;

  @AfterEach
  void noTablesAreLeft() {
    for (String table : ownTables()) {
      servers.sql("drop table " + table);
    }
  }

  private List<String> ownTables() {
    return records.words(
        """
        select relname from pg_class
        where relkind = 'r' and relname ~ '^(snapshot|standing|award|transfer|entry)_\\d+$'
        order by 1
        """);
  }

  private Period settle(String title, int members) {
    return world.settle(open(title, members));
  }

  private Period open(String title, int members) {
    Rules rules =
        Rules.day()
            .with("title: " + title)
            .with(
                "rewards: [{ rule: all, ranks: { 1-1000: 5 } }, { rule: each, per: coin, credits: 1"
                    + " }]");
    Period day = world.open(world.board(rules));
    world.takeAll(
        IntStream.range(0, members).mapToObj(i -> Fact.by("m" + i).does("coin").times(1)).toList(),
        World.ANYBODY);
    return day;
  }

  @Test
  void noMorePeriodsThanStatedHaveTablesOfTheirOwn() {
    Period first = settle("One", 40);
    Period second = settle("Two", 40);
    Period third = settle("Three", 40);
    assertThat(ownTables()).hasSize(2 * TABLES.size());
    assertThat(ownTables()).contains("entry_" + first.id(), "snapshot_" + second.id());
    assertThat(records.number("select count(*) from only standing")).isEqualTo(40);
    assertThat(records.paid(third)).hasSize(80).isEqualTo(records.paid(first));
    assertThat(records.verify().named()).isEmpty();
  }

  /** Beyond the bound, where all joins are by hash: they must be of its own rows. */
  @Test
  void aClosingInTheSharedTablesReadsNoTableOfAnotherPeriod() {
    settle("One", 40);
    settle("Two", 40);
    Period small = open("Small", 300);
    Map<String, Long> before = reads();
    world.settle(small);
    Map<String, Long> after = reads();
    assertThat(after).hasSizeGreaterThan(TABLES.size());
    TABLES.forEach(after::remove);
    assertThat(after).allSatisfy((table, rows) -> assertThat(rows).isEqualTo(before.get(table)));
  }

  /** Rows read of each table so far; a connection tells its share when it ends. */
  private Map<String, Long> reads() {
    List<Integer> ended = pids();
    dataSource(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
    await().atMost(Duration.ofSeconds(20)).until(() -> pids().stream().noneMatch(ended::contains));
    var reads = new TreeMap<String, Long>();
    jdbc.sql(
            """
            select relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows
            from pg_stat_user_tables
            where relname ~ '^(snapshot|standing|award|transfer|entry)(_\\d+)?$'
            """)
        .query(
            row -> {
              reads.put(row.getString("relname"), row.getLong("rows"));
            });
    return reads;
  }

  private <T extends DataSource> T dataSource(Class<T> type) {
    try {
      return dataSource.unwrap(type);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Integer> pids() {
    return jdbc.sql(
            """
            select pid from pg_stat_activity
            where datname = current_database() and backend_type = 'client backend'
              and pid <> pg_backend_pid() and application_name = current_setting('application_name')
            """)
        .query(Integer.class)
        .list();
  }

  @Test
  void aTableThatIsReadIsDroppedLaterAndNobodyQueuesBehind() throws Exception {
    Period day = settle("One", 40);
    long id = day.id().value();
    try (Connection reader = dataSource.getConnection()) {
      reader.setAutoCommit(false);
      reader.createStatement().execute("select * from standing");
      assertThatThrownBy(() -> own.drop("standing", id))
          .isInstanceOf(TableInUse.class)
          .hasMessageContaining("standing_" + id)
          .hasMessageContaining("is being read");
      assertThat(records.published(day)).hasSize(40);
      reader.rollback();
    }
    own.drop("standing", id);
    assertThat(ownTables()).doesNotContain("standing_" + id);
  }
}
