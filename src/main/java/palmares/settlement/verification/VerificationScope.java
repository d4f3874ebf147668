package palmares.settlement.verification;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Which periods there are to look at. */
@Component
class VerificationScope {
  /** How many outcomes that share tables are compared by one statement. */
  private static final int MANY = 10_000;

  private final JdbcClient jdbc;

  VerificationScope(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Settled ones, of one board or name only where these are given. */
  List<PeriodId> settled(@Nullable BoardId board, @Nullable PeriodName period) {
    return jdbc.sql(
            """
            select id from period
            where state in ('settled', 'expired')
              and board = coalesce(:board, board)
              and name = coalesce(:period, name)
            order by board, starts_at
            """)
        .param("board", Optional.ofNullable(board).map(BoardId::value).orElse(null))
        .param("period", Optional.ofNullable(period).map(PeriodName::value).orElse(null))
        .query((row, n) -> new PeriodId(row.getLong(1)))
        .list();
  }

  /** Those that were settled or amended from a time on. */
  List<PeriodId> settledSince(Instant since) {
    return jdbc.sql(
            """
            select id from period
            where state in ('settled', 'expired')
              and (settled_at >= :since
                or id in (select period_id from revision where posted_at >= :since))
            order by board, starts_at
            """)
        .param("since", since.atOffset(ZoneOffset.UTC))
        .query((row, n) -> new PeriodId(row.getLong(1)))
        .list();
  }

  /** Those that are not settled, by id as messages name them. */
  Map<Long, String> unsettled() {
    var labels = new LinkedHashMap<Long, String>();
    jdbc.sql(
            """
            select id, board || ' ' || name as label from period
            where settled_at is null
            """)
        .query(
            row -> {
              labels.put(row.getLong("id"), row.getString("label"));
            });
    return labels;
  }

  /** Those whose journal is in the database: files have that of the others. */
  Map<Long, String> journaled(Map<Long, String> labels) {
    var kept = new LinkedHashMap<>(labels);
    jdbc.sql("select id from period where id = any(:ids) and archived_at is not null")
        .param("ids", labels.keySet().toArray(Long[]::new))
        .query(
            row -> {
              kept.remove(row.getLong("id"));
            });
    return kept;
  }

  /** One outcome of a period. */
  record Outcome(long periodId, int number, int id, String definitionHash, boolean posted) {
    /** Whether its lines and payments have tables of their own. */
    boolean apart() {
      return id > 0;
    }
  }

  /** All outcomes of these periods, earlier revisions first. */
  List<Outcome> outcomes(Long[] periods) {
    return jdbc.sql(RevisionSql.OUTCOMES).param("ids", periods).query(Outcome.class).list();
  }

  /**
   * All posted outcomes, many that share tables at a time; each that has tables of its own alone.
   */
  List<List<Integer>> posted() {
    List<Integer> all =
        jdbc.sql("select id from revision where posted_at is not null order by id")
            .query(Integer.class)
            .list();
    int shared = (int) all.stream().filter(id -> id < 0).count();
    var groups = new ArrayList<List<Integer>>();
    int next = 0;
    while (next < all.size()) {
      int end = next < shared ? Math.min(next + MANY, shared) : next + 1;
      groups.add(all.subList(next, end));
      next = end;
    }
    return groups;
  }
}
