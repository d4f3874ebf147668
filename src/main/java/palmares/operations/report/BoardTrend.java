package palmares.operations.report;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.sql.FromReplica;
import palmares.rules.board.BoardId;

/** Reads how many members took part in each period of a board, and what they got. */
@Component
public class BoardTrend {
  private final JdbcClient jdbc;

  BoardTrend(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * One settled period in one currency.
   *
   * @param currency null if nothing was paid
   * @param paid what members got less what they gave back, over all revisions
   */
  public record Point(String period, long members, @Nullable String currency, BigDecimal paid) {}

  /**
   * Returns the last settled periods of a board, the earliest first. Reads the sums of manifests,
   * because adding up payments would lock the table of each outcome.
   */
  @FromReplica
  public List<Point> last(BoardId board, int periods) {
    List<Point> points =
        jdbc.sql(
                """
                with last as (
                  select id, name, starts_at, coalesce(rebuilt_members, sealed_members) as members
                  from period
                  where board = :board and settled_at is not null
                  order by starts_at desc
                  limit :periods
                )
                select last.name as period, last.members, moved.currency,
                  coalesce(moved.paid, 0) as paid
                from last
                left join lateral (
                  select sum.currency,
                    sum(case sum.name when 'return' then -sum.amount else sum.amount end) as paid
                  from manifest
                  cross join lateral manifest_sums(sums, 'payments-by-purpose') sum
                  where manifest.period_id = last.id
                    and sum.name in ('award', 'return', 'restored')
                  group by sum.currency
                ) moved on true
                order by last.starts_at desc, moved.currency
                """)
            .param("board", board)
            .param("periods", periods)
            .query(Point.class)
            .list();
    Collections.reverse(points);
    return points;
  }
}
