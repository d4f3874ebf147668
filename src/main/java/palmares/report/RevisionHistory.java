package palmares.report;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.BoardId;
import palmares.calendar.PeriodName;

/** Every outcome that a period ever had, and its lines, whether it stands or not. */
@Component
public class RevisionHistory {
  private static final int FETCH = 5_000;
  private static final String LINES =
      Palmareses.lines("palmares_revision") + "and period = :period and revision = :revision ";

  private final JdbcClient jdbc;

  RevisionHistory(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Who made each, why, and what became of it; in their order. */
  public List<RevisionLine> of(BoardId board, PeriodName period) {
    return jdbc.sql(
            """
            select
              revision, base, status, reason, prepared_by, prepared_at,
              array_to_string(held_for, '; ') as held_for, decided_by, decided_at, verdict_reason,
              posted_at
            from revision_overview
            where board = :board and period = :period
            order by revision
            """)
        .param("board", board.value())
        .param("period", period.value())
        .query(RevisionHistory::row)
        .list();
  }

  private static RevisionLine row(ResultSet row, int n) throws SQLException {
    return new RevisionLine(
        row.getInt("revision"),
        row.getObject("base", Integer.class),
        row.getString("status"),
        row.getString("reason"),
        row.getString("prepared_by"),
        Objects.requireNonNull(time(row, "prepared_at")),
        row.getString("held_for"),
        row.getString("decided_by"),
        time(row, "decided_at"),
        row.getString("verdict_reason"),
        time(row, "posted_at"));
  }

  private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** The best lines of a revision in order of place, one after the other, however many. */
  @Transactional(readOnly = true)
  public void first(
      BoardId board, PeriodName period, int revision, int count, Consumer<FinalLine> line) {
    lines(board, period, revision, "order by place limit :count")
        .param("count", count)
        .withFetchSize(FETCH)
        .query(
            row -> {
              line.accept(Palmareses.line(row, 0));
            });
  }

  /** The best lines of a revision. */
  public List<FinalLine> top(BoardId board, PeriodName period, int revision, int count) {
    return lines(board, period, revision, "order by place limit :count")
        .param("count", count)
        .query(Palmareses::line)
        .list();
  }

  private JdbcClient.StatementSpec lines(
      BoardId board, PeriodName period, int revision, String order) {
    return jdbc.sql(LINES + order)
        .param("board", board.value())
        .param("period", period.value())
        .param("revision", revision);
  }

  /** How many lines a revision has. */
  public long members(BoardId board, PeriodName period, int revision) {
    return jdbc.sql(
            """
            select coalesce(max(place), 0) from standing
            where revision = :revision
              and period_id = (select id from period where board = :board and name = :period)
            """)
        .param("revision", revision)
        .param("board", board.value())
        .param("period", period.value())
        .query(Long.class)
        .single();
  }

  /**
   * The hashes of the rules by which these periods award.
   *
   * @param revision of that outcome; null for the one that stands
   */
  public List<String> rules(BoardId board, List<PeriodName> periods, @Nullable Integer revision) {
    return jdbc.sql(
            """
            select revision.definition_hash
            from revision
            join period on period.id = revision.period_id
            where board = :board
              and name = any(:periods::text[])
              and revision.revision = coalesce(:revision, period.revision)
            group by revision.definition_hash
            order by max(period.starts_at), revision.definition_hash
            """)
        .param("board", board.value())
        .param("periods", periods.stream().map(PeriodName::value).toArray(String[]::new))
        .param("revision", revision)
        .query(String.class)
        .list();
  }
}
