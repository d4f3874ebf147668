package palmares.standing;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.board.RankMethod;
import palmares.board.Scale;
import palmares.period.Period;

/**
 * Final ranks, in one pass over the snapshot: points, the better first; then the second key; then
 * arrival or reached-at, ascending; then the member's id by bytes descending, as Redis itself reads
 * equal scores from the top.
 */
@Component
public class Ranking {
  private final JdbcClient jdbc;

  Ranking(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Writes the standings of a revision that has none yet. */
  @Transactional(propagation = Propagation.MANDATORY)
  public long rank(Period period, int revision, Board board) {
    return jdbc.sql(
            """
            insert into standing (
              period_id, revision, place, rank, member, points, then_by, arrival, reached_at)
            select
              period_id,
              :revision,
              row_number() over exact,
              %1$s,
              member,
              points,
              then_by,
              arrival,
              reached_at
            from snapshot
            where period_id = :period
            window
              exact as (order by %2$s, arrival, reached_at, member collate "C" desc),
              tied as (order by %2$s)
            """
                .formatted(rank(board.ranks()), level(board.scale())))
        .param("period", period.id().value())
        .param("revision", revision)
        .update();
  }

  private static String level(Scale scale) {
    return "points %s, then_by %s"
        .formatted(
            scale.scoring().fewestWin() ? "asc" : "desc", scale.fewestThen() ? "asc" : "desc");
  }

  private static String rank(RankMethod method) {
    return switch (method) {
      case UNIQUE -> "row_number() over exact";
      case COMPETITION -> "rank() over tied";
      case DENSE -> "dense_rank() over tied";
    };
  }
}
