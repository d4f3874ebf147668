package palmares.rebuild;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.LiveEntry;
import palmares.live.Verdict;
import palmares.period.PeriodId;

/** The events of a period that PostgreSQL has, in the order in which they were decided. */
@Component
class StoredEvents {
  private final JdbcClient jdbc;

  StoredEvents(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The next events after a number. */
  List<LiveEntry> after(PeriodId period, long seq, int count) {
    return jdbc.sql(
            """
            select
              seq, id, member, action, subject, outcome, quantity, points, value, then_by, digest,
              occurred_at
            from event
            where period_id = :period and seq > :seq
            order by seq
            limit :count
            """)
        .param("period", period.value())
        .param("seq", seq)
        .param("count", count)
        .query(StoredEvents::row)
        .list();
  }

  private static LiveEntry row(ResultSet row, int n) throws SQLException {
    return new LiveEntry(
        row.getLong("seq"),
        row.getString("id"),
        row.getString("member"),
        row.getString("action"),
        row.getString("subject"),
        Verdict.of(row.getString("outcome")),
        row.getLong("quantity"),
        row.getLong("points"),
        row.getObject("value", Long.class),
        row.getLong("then_by"),
        row.getString("digest"),
        row.getObject("occurred_at", OffsetDateTime.class).toInstant());
  }
}
