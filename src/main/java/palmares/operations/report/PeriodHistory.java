package palmares.operations.report;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.sql.FromReplica;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Reads periods, from the view {@code period_overview}. */
@Component
public class PeriodHistory {
  private static final String LINES =
      """
      select board, period as name, state, starts_at, ends_at, closes_at, members, settled_at
      from period_overview
      where board = :board
      """;

  private final JdbcClient jdbc;

  PeriodHistory(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * One period.
   *
   * @param closesAt when it is due; null if it never closes
   * @param members the number of members at the seal; null before
   * @param settledAt since when it is final; null if it is not
   */
  public record PeriodSummary(
      BoardId board,
      PeriodName name,
      String state,
      Instant startsAt,
      Instant endsAt,
      @Nullable Instant closesAt,
      @Nullable Long members,
      @Nullable Instant settledAt) {

    /** The name in messages, such as {@code invites 2026-W47}. */
    public String label() {
      return board + " " + name;
    }
  }

  public Optional<PeriodSummary> find(BoardId board, PeriodName period) {
    return jdbc.sql(LINES + "and period = :period")
        .param("board", board)
        .param("period", period)
        .query(PeriodSummary.class)
        .optional();
  }

  /** The board's settled periods, the earliest first. */
  public List<PeriodSummary> settled(BoardId board) {
    return settled(board, null, null);
  }

  /** The board's settled periods that start in a range, the earliest first; null is an open end. */
  public List<PeriodSummary> settled(BoardId board, @Nullable Instant from, @Nullable Instant to) {
    return settledPage(board, from, to, null, null);
  }

  /**
   * Some of the board's settled periods that start in a range, the earliest first.
   *
   * @param from null for an open end
   * @param to null for an open end
   * @param after only those that start after this time; null for the first ones
   * @param most null for all
   */
  @FromReplica
  public List<PeriodSummary> settledPage(
      BoardId board,
      @Nullable Instant from,
      @Nullable Instant to,
      @Nullable Instant after,
      @Nullable Integer most) {
    return jdbc.sql(
            LINES
                + """
                and settled_at is not null
                and starts_at >= coalesce(:from::timestamptz, '-infinity')
                and starts_at < coalesce(:to::timestamptz, 'infinity')
                and starts_at > coalesce(:after::timestamptz, '-infinity')
                order by starts_at
                limit :most
                """)
        .param("board", board)
        .param("from", from)
        .param("to", to)
        .param("after", after)
        .param("most", most)
        .query(PeriodSummary.class)
        .list();
  }

  /**
   * Says how much a board has settled.
   *
   * @param members the sum of the members of each period
   */
  public record SettledCount(long periods, long members) {}

  /** Counts the board's settled periods that start in a range; null is an open end. */
  public SettledCount count(BoardId board, @Nullable Instant from, @Nullable Instant to) {
    return jdbc.sql(
            """
            select count(*) as periods, coalesce(sum(members), 0)::bigint as members
            from period_overview
            where board = :board and settled_at is not null
              and starts_at >= coalesce(:from::timestamptz, '-infinity')
              and starts_at < coalesce(:to::timestamptz, 'infinity')
            """)
        .param("board", board)
        .param("from", from)
        .param("to", to)
        .query(SettledCount.class)
        .single();
  }

  /** The names of the board's latest periods, to suggest for an unknown name. */
  public List<String> latestNames(BoardId board) {
    return jdbc.sql(
            """
            select period from period_overview
            where board = :board
            order by starts_at desc
            limit 100
            """)
        .param("board", board)
        .query(String.class)
        .list();
  }

  /** Whether the board ever had a period, even if its file is gone. */
  public boolean knows(BoardId board) {
    return jdbc.sql("select exists (select from period_overview where board = :board)")
        .param("board", board)
        .query(Boolean.class)
        .single();
  }
}
