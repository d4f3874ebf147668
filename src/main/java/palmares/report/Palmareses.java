package palmares.report;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.BoardId;
import palmares.board.MemberId;
import palmares.calendar.PeriodName;

/** The published lists of settled periods, from the view {@code palmares}. */
@Component
public class Palmareses {
  /** So many rows are held in memory at a time. */
  private static final int FETCH = 5_000;

  private static final String LINES =
      """
      select period, place, rank, member, points, then_by, reached_at, credits
      from palmares
      where board = :board
      """;

  private final JdbcClient jdbc;

  Palmareses(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Every line in order of period and place, one after the other, however many there are.
   *
   * @param period only this one; null for every settled period of the board
   */
  @Transactional(readOnly = true)
  public long each(BoardId board, @Nullable PeriodName period, Consumer<FinalLine> line) {
    long[] count = {0};
    jdbc.sql(LINES + "and period = coalesce(:period, period) order by starts_at, place")
        .withFetchSize(FETCH)
        .param("board", board.value())
        .param("period", period == null ? null : period.value())
        .query(
            row -> {
              line.accept(line(row, 0));
              count[0]++;
            });
    return count[0];
  }

  /** The best lines of a settled period. */
  public List<FinalLine> top(BoardId board, PeriodName period, int count) {
    return jdbc.sql(LINES + "and period = :period order by place limit :count")
        .param("board", board.value())
        .param("period", period.value())
        .param("count", count)
        .query(Palmareses::line)
        .list();
  }

  /** A member's line and its neighbours; empty if the member has none in the period. */
  public List<FinalLine> around(BoardId board, PeriodName period, MemberId member, int neighbours) {
    return jdbc.sql(
            LINES
                + """
                and period = :period
                and place between
                  (select place from palmares
                    where board = :board and period = :period and member = :member) - :neighbours
                  and (select place from palmares
                    where board = :board and period = :period and member = :member) + :neighbours
                order by place
                """)
        .param("board", board.value())
        .param("period", period.value())
        .param("member", member.value())
        .param("neighbours", neighbours)
        .query(Palmareses::line)
        .list();
  }

  private static FinalLine line(ResultSet row, int n) throws SQLException {
    return new FinalLine(
        row.getString("period"),
        row.getLong("place"),
        row.getLong("rank"),
        row.getString("member"),
        row.getLong("points"),
        row.getLong("then_by"),
        row.getObject("reached_at", OffsetDateTime.class).toInstant(),
        row.getLong("credits"));
  }
}
