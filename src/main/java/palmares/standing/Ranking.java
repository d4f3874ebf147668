package palmares.standing;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.board.RankMethod;
import palmares.board.Scale;
import palmares.bulk.OwnTables;
import palmares.period.Period;

/**
 * Final ranks, in one pass over what a revision is ranked from: points, the better first; then the
 * second key; then arrival or reached-at, ascending; then the member's id by bytes descending, as
 * Redis itself reads equal scores from the top. Members who are frozen as hidden have no line, and
 * unranked ones stand behind all others in the same order, without a rank.
 */
@Component
public class Ranking {
  private static final String SHARED = "standing";

  private final JdbcClient jdbc;
  private final OwnTables own;

  Ranking(JdbcClient jdbc, OwnTables own) {
    this.jdbc = jdbc;
    this.own = own;
  }

  /**
   * Writes the standings of a revision that has none yet, and whose exclusions are frozen.
   *
   * @return how many lines there are
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public long rank(Period period, int revision, Board board) {
    boolean apart = revision == 1 && own.admits(period.id().value(), members(period));
    long lines =
        write(apart ? own.begin(SHARED, period.id().value()) : SHARED, period, revision, board);
    if (apart) {
      own.join(SHARED, period.id().value());
    }
    return lines;
  }

  private static long members(Period period) {
    return period.population() == null ? 0 : period.population().members();
  }

  private long write(String table, Period period, int revision, Board board) {
    return jdbc.sql(
            """
            insert into %3$s (
              period_id, revision, place, rank, member, points, then_by, arrival, reached_at)
            select
              period_id,
              :revision,
              row_number() over exact,
              case when not unranked then %1$s end,
              member,
              points,
              then_by,
              arrival,
              reached_at
            from (
              select basis.*, coalesce(level = 'unranked', false) as unranked
              from basis
              left join frozen_exclusion frozen using (period_id, revision, member)
              where basis.period_id = :period
                and basis.revision = :revision
                and level is distinct from 'hidden'
            ) line
            window
              exact as (order by unranked, %2$s, arrival, reached_at, member collate "C" desc),
              tied as (order by unranked, %2$s)
            """
                .formatted(rank(board.ranks()), level(board.scale()), table))
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
