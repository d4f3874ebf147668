package palmares.operations.report;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.BoardId;

/** The attempts to close periods, from the view {@code run_overview}. */
@Component
public class RunHistory {
  private final JdbcClient jdbc;

  RunHistory(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * One attempt to close a period, as its record stands.
   *
   * @param stack the stack of the exception that it failed of; null if it did not fail
   * @param note what a reader of the period should know; null if there is nothing
   */
  public record RunSummary(
      long id,
      String board,
      String period,
      String cause,
      String owner,
      Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String step,
      String outcome,
      @Nullable String failure,
      @Nullable String stack,
      @Nullable String note) {}

  /**
   * The latest attempts, the last one first.
   *
   * @param board only this board's; null for all
   * @param outcome only those that ended so; null for all
   */
  public List<RunSummary> latest(@Nullable BoardId board, @Nullable String outcome, int count) {
    return jdbc.sql(
            """
            select run_overview.*, period_note.note
            from run_overview
            left join period_note using (board, period)
            where board = coalesce(:board, board) and outcome = coalesce(:outcome, outcome)
            order by id desc
            limit :count
            """)
        .param("board", board == null ? null : board.value())
        .param("outcome", outcome)
        .param("count", count)
        .query(
            (row, n) -> {
              OffsetDateTime ended = row.getObject("ended_at", OffsetDateTime.class);
              return new RunSummary(
                  row.getLong("id"),
                  row.getString("board"),
                  row.getString("period"),
                  row.getString("cause"),
                  row.getString("owner"),
                  row.getObject("started_at", OffsetDateTime.class).toInstant(),
                  ended == null ? null : ended.toInstant(),
                  row.getString("step"),
                  row.getString("outcome"),
                  row.getString("failure"),
                  row.getString("stack"),
                  row.getString("note"));
            })
        .list();
  }
}
