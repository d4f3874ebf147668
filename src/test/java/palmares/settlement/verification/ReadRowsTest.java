package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Contest;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The verification of one period reads its own rows, however long the history is. */
@WorldTest
class ReadRowsTest {
  private static final int OTHER_PERIODS = 3_000;

  /** Rows that a statement may read of a table: a contest has a few members and rules. */
  private static final long MOST = 500;

  /** Settled periods of other boards, five of them at a time. */
  static final List<String> OTHERS =
      List.of(
          """
          insert into period overriding system value
          select (jsonb_populate_record(period, jsonb_build_object(
            'id', id + n,
            'board', board || '-' || n,
            'starts_at', starts_at - n / 5 * interval '1 day',
            'ends_at', ends_at - n / 5 * interval '1 day'))).*
          from period
          cross join generate_series(1, ?) n
          where settled_at is not null
          """,
          """
          insert into revision
          select (jsonb_populate_record(whole, jsonb_build_object(
            'id', whole.id - 1000 - n, 'period_id', period_id + n))).*
          from revision whole
          cross join generate_series(1, ?) n
          """,
          """
          insert into prize
          select prize.outcome - 1000 - n, rule, name, currency
          from prize
          cross join generate_series(1, ?) n
          """,
          """
          insert into manifest
          select (jsonb_populate_record(manifest, jsonb_build_object(
            'period_id', period_id + n))).*
          from manifest
          cross join generate_series(1, ?) n
          """);

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private JdbcClient jdbc;
  @Autowired private Verification verification;
  @Autowired private PlatformTransactionManager transactions;

  @Test
  void aLongHistoryIsNotRead() {
    List<Board> league =
        world.boards(
            List.of(
                Contest.rules().with("family: { name: league, tier: 1 }").text(),
                Contest.rules().with("family: { name: league, tier: 2, promote: 1 }").text()));
    world.open(league.get(0));
    Period day = world.open(league.get(1));
    world.take(Contest.facts());
    world.settle(day);
    servers.unguarded(() -> OTHERS.forEach(sql -> servers.sql(sql, OTHER_PERIODS)));
    List.of("period", "revision", "prize", "manifest", "audit_entry", "definition")
        .forEach(table -> servers.sql("analyze " + table));
    var asOfOneInstant = new TransactionTemplate(transactions);
    asOfOneInstant.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    Map<String, Long> read =
        asOfOneInstant.execute(
            status -> {
              // A connection also counts what its former transactions read a moment ago.
              Map<String, Long> before = readRows();
              assertThat(verification.verify(List.of(day.id())).named()).isEmpty();
              Map<String, Long> rows = readRows();
              before.forEach((table, n) -> rows.merge(table, -n, Long::sum));
              return rows;
            });
    assertThat(read).containsKeys("period", "revision", "prize");
    assertThat(read.values()).as("%s", read).allMatch(rows -> rows < MOST);
  }

  private Map<String, Long> readRows() {
    var rows = new TreeMap<String, Long>();
    jdbc.sql(
            """
            select relname, seq_tup_read + idx_tup_fetch as rows
            from pg_stat_xact_user_tables
            where seq_tup_read + idx_tup_fetch > 0
            """)
        .query(
            row -> {
              rows.put(row.getString("relname"), row.getLong("rows"));
            });
    return rows;
  }
}
