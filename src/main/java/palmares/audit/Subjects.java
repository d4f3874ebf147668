package palmares.audit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;
import palmares.period.PeriodId;

/** Which periods there are to look at. */
@Component
class Subjects {
  private final JdbcClient jdbc;

  Subjects(JdbcClient jdbc) {
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
            where state not in ('settled', 'expired')
            """)
        .query(
            row -> {
              labels.put(row.getLong("id"), row.getString("label"));
            });
    return labels;
  }

  /** Those whose journal and snapshot are in the database: of the others, files have them. */
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
}
