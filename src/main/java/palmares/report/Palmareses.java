package palmares.report;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.BoardId;
import palmares.board.MemberId;
import palmares.calendar.PeriodName;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The published lists of settled periods, from the view {@code palmares}. */
@Component
public class Palmareses {
  /** So many rows are held in memory at a time. */
  private static final int FETCH = 5_000;

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final TypeReference<Map<String, Long>> BY_RULE = new TypeReference<>() {};
  private static final String LINES = lines("palmares");

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
    return from(board, period, 1, count);
  }

  /**
   * Lines of a settled period from a place on.
   *
   * @param place of the first line, from 1
   */
  public List<FinalLine> from(BoardId board, PeriodName period, long place, int count) {
    return jdbc.sql(LINES + "and period = :period and place >= :place order by place limit :count")
        .param("board", board.value())
        .param("period", period.value())
        .param("place", place)
        .param("count", count)
        .query(Palmareses::line)
        .list();
  }

  /** How many lines a settled period has: the last one's place. */
  public long members(BoardId board, PeriodName period) {
    return jdbc.sql(
            """
            select place from palmares
            where board = :board and period = :period
            order by place desc
            limit 1
            """)
        .param("board", board.value())
        .param("period", period.value())
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  /** How many lines of a settled period have a rank: all others stand behind them. */
  public long ranked(BoardId board, PeriodName period) {
    return placeOf(board, period, Long.MAX_VALUE) - 1;
  }

  /**
   * The place of a settled period's first line of that rank, a worse one or none, found by halving:
   * ranks grow with places. One place past the last line if there is none.
   */
  public long placeOf(BoardId board, PeriodName period, long rank) {
    return jdbc.sql(
            """
            with recursive narrow (low, high) as (
              select 1::bigint, cast(:members as bigint) + 1
              union all
              select
                case when there.rank < :rank then middle + 1 else low end,
                case when there.rank < :rank then high else middle end
              from narrow
              cross join lateral (select (low + high) / 2 as middle) half
              cross join lateral (
                select rank from palmares
                where board = :board and period = :period and place = middle
              ) there
              where low < high
            )
            select low from narrow where low = high
            """)
        .param("members", members(board, period))
        .param("rank", rank)
        .param("board", board.value())
        .param("period", period.value())
        .query(Long.class)
        .single();
  }

  /** The lines of those of the members who have one in the settled period, in order of place. */
  public List<FinalLine> find(BoardId board, PeriodName period, List<MemberId> members) {
    return jdbc.sql(
            LINES + "and period = :period and member = any(:members::text[]) order by place")
        .param("board", board.value())
        .param("period", period.value())
        .param("members", members.stream().map(MemberId::value).toArray(String[]::new))
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

  /** Lines of a board by one of the two views of them. */
  static String lines(String view) {
    return """
    select
      period, place, rank, member, points, then_by, reached_at, credits, loss, nickname,
      invite_code, other_prizes, awards
    from (
      select palmares.*, loss.kind as loss, member.nickname, member.invite_code
      from %s as palmares
      left join member on member.id = palmares.member
      left join loss_overview as loss
        on loss.board = palmares.board
        and loss.period = palmares.period
        and loss.points = palmares.points
        and loss.reached_at is not distinct from palmares.reached_at) as line
    where board = :board
    """
        .formatted(view);
  }

  static FinalLine line(ResultSet row, int n) throws SQLException {
    OffsetDateTime reachedAt = row.getObject("reached_at", OffsetDateTime.class);
    return new FinalLine(
        row.getString("period"),
        row.getLong("place"),
        row.getObject("rank", Long.class),
        row.getString("member"),
        row.getLong("points"),
        row.getLong("then_by"),
        reachedAt == null ? null : reachedAt.toInstant(),
        row.getLong("credits"),
        row.getString("loss"),
        row.getString("nickname"),
        row.getString("invite_code"),
        row.getString("other_prizes"),
        awards(row.getString("awards")));
  }

  private static Map<String, Long> awards(@Nullable String json) {
    return json == null ? Map.of() : JSON.readValue(json, BY_RULE);
  }
}
