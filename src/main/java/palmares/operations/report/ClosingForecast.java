package palmares.operations.report;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.rules.board.BoardId;

/**
 * Says how long a board's closings usually take, and which running ones take longer. The usual
 * duration is the median of the last {@value #MAX_RUNS} periods that were settled in one run.
 */
@Component
public class ClosingForecast {
  static final int MAX_RUNS = 20;

  /** Bounds the search for runs, which are deleted after some time. */
  private static final int MAX_PERIODS = 100;

  /** With fewer, nothing is usual. */
  private static final int MIN_RUNS = 3;

  private static final int SLOW_FACTOR = 3;
  private static final int MIN_LATE_SECONDS = 60;

  /** The usual durations of the boards {@code :boards}, and when a closing is late. */
  private static final String USUAL =
      """
      with usual as (
        select board, usual.runs, usual.seconds,
          greatest(:factor * usual.seconds, :minimum) as late_after
        from unnest(:boards::text[]) as board
        cross join lateral (
          select count(*) as runs,
            percentile_cont(0.5) within group (order by recent.seconds) as seconds
          from (
            select extract(epoch from run.ended_at - run.started_at)::float8 as seconds
            from (
              select id, starts_at from period
              where period.board = board.board and settled_at is not null
              order by starts_at desc
              limit :periods
            ) settled
            join run on run.period_id = settled.id and run.outcome = 'settled'
            where not exists (
              select from run held
              where held.period_id = settled.id and held.outcome = 'held')
            order by settled.starts_at desc
            limit :runs
          ) recent
        ) usual
        where usual.runs >= :least
      )
      """;

  private final JdbcClient jdbc;
  private final Clock clock;

  ClosingForecast(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Says what is usual on a board.
   *
   * @param runs from how many runs it is computed
   * @param seconds the usual duration of a closing
   * @param lateAfter the duration from which a closing is late, in seconds
   */
  public record Usual(String board, long runs, double seconds, double lateAfter) {}

  /** Returns what is usual on each of these boards that has enough runs. */
  public List<Usual> usual(Collection<BoardId> boards) {
    return query(boards, "select * from usual order by board").query(Usual.class).list();
  }

  /** A closing that has run for longer than is usual on its board. */
  public record Late(
      String board, String period, Instant startedAt, double seconds, double usualSeconds) {}

  /** Returns the running closings that are late. */
  public List<Late> late(Collection<BoardId> boards) {
    return query(
            boards,
            """
            select period.board, period.name as period, run.started_at,
              extract(epoch from :now - run.started_at)::float8 as seconds,
              usual.seconds as usual_seconds
            from usual
            join period on period.board = usual.board and settled_at is null
            join run on run.period_id = period.id and run.fence = period.fence
            where run.outcome = 'running'
              and period.lease_until >= :now
              and run.started_at < :now - usual.late_after * interval '1 second'
            order by run.started_at
            """)
        .param("now", clock.instant())
        .query(Late.class)
        .list();
  }

  private JdbcClient.StatementSpec query(Collection<BoardId> boards, String sql) {
    return jdbc.sql(USUAL + sql)
        .param("boards", boards)
        .param("factor", SLOW_FACTOR)
        .param("minimum", MIN_LATE_SECONDS)
        .param("runs", MAX_RUNS)
        .param("periods", MAX_PERIODS)
        .param("least", MIN_RUNS);
  }
}
