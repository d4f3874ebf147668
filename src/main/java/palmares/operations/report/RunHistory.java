package palmares.operations.report;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Reads the runs that closed periods, from the view {@code run_overview}. */
@Component
public class RunHistory {
  private final JdbcClient jdbc;

  RunHistory(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * One run of a closing.
   *
   * @param stack the stack trace of the failure; null if it did not fail
   * @param note the note on the period; null if there is none
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
   * The latest runs, the last one first.
   *
   * @param board only this board's; null for all
   * @param period only this period's; null for all
   * @param outcome only those with this outcome; null for all
   */
  public List<RunSummary> latest(
      @Nullable BoardId board, @Nullable PeriodName period, @Nullable String outcome, int count) {
    return jdbc.sql(
            """
            select run_overview.*, period_note.note
            from run_overview
            left join period_note using (board, period)
            where board = coalesce(:board, board)
              and period = coalesce(:period, period)
              and outcome = coalesce(:outcome, outcome)
            order by id desc
            limit :count
            """)
        .param("board", board == null ? null : board.value())
        .param("period", period == null ? null : period.value())
        .param("outcome", outcome)
        .param("count", count)
        .query(RunSummary.class)
        .list();
  }
}
