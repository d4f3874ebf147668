package palmares.operations.report;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.report.Outcomes.Outcome;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * What a reader of a period should know in addition to its lines, from the views {@code
 * period_note} and {@code loss_line}: whose order an adopted board has lost, and what came too late
 * for it.
 */
@Component
public class PeriodNotes {
  private final JdbcClient jdbc;
  private final Outcomes outcomes;

  PeriodNotes(JdbcClient jdbc, Outcomes outcomes) {
    this.jdbc = jdbc;
    this.outcomes = outcomes;
  }

  /**
   * Members of an adopted board whose order its scores do not tell.
   *
   * @param kind why: {@code no-time}, {@code equal-time} or {@code coarse-time}
   * @param reachedAt their time as far as it is known; null if it is not
   * @param members how many there are
   * @param firstPlace the best place among them
   * @param first the first of them, by place
   */
  public record LossGroup(
      String kind,
      long points,
      @Nullable Instant reachedAt,
      long members,
      long firstPlace,
      List<String> first) {}

  /** In a sentence, if there is anything to know. */
  public Optional<String> of(BoardId board, PeriodName period) {
    return jdbc.sql("select note from period_note where board = :board and period = :period")
        .param("board", board.value())
        .param("period", period.value())
        .query(String.class)
        .optional();
  }

  /** For all periods, or for one board's, or for one: {@code board period: note}. */
  public List<String> all(@Nullable BoardId board, @Nullable PeriodName period) {
    return jdbc.sql(
            """
            select board || ' ' || period || ': ' || note
            from period_note
            where board = coalesce(:board, board) and period = coalesce(:period, period)
            order by board, period
            """)
        .param("board", board == null ? null : board.value())
        .param("period", period == null ? null : period.value())
        .query(String.class)
        .list();
  }

  /** The groups without a known order, the best places first. */
  public List<LossGroup> losses(BoardId board, PeriodName period, int count) {
    return outcomes
        .standing(board, period)
        .map(outcome -> losses(outcome, count))
        .orElse(List.of());
  }

  private List<LossGroup> losses(Outcome outcome, int count) {
    return jdbc.sql(
            """
            select
              kind,
              points,
              reached_at,
              members,
              min(place) as first_place,
              (array_agg(member order by place))[1\\:10] as first_members
            from loss_line
            where outcome = :outcome
            group by kind, points, reached_at, members
            order by first_place
            limit :count
            """)
        .param("outcome", outcome.id())
        .param("count", count)
        .query(PeriodNotes::group)
        .list();
  }

  private static LossGroup group(ResultSet row, int n) throws SQLException {
    OffsetDateTime reachedAt = row.getObject("reached_at", OffsetDateTime.class);
    Array first = row.getArray("first_members");
    return new LossGroup(
        row.getString("kind"),
        row.getLong("points"),
        reachedAt == null ? null : reachedAt.toInstant(),
        row.getLong("members"),
        row.getLong("first_place"),
        List.of((String[]) first.getArray()));
  }
}
