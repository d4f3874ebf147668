package palmares.settlement.lines;

import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/**
 * Ranks lines that do not come in their final order, by one statement with windows.
 *
 * <p>The order is: points, the better first; the second key; arrival or reached-at, ascending; the
 * member's id by bytes, descending, as Redis returns equal scores. Hidden members get no place.
 * Unranked members get the last places, in the same order, and no rank.
 */
@Component
public class Ranking {
  private final JdbcClient jdbc;
  private final Revisions revisions;

  Ranking(JdbcClient jdbc, Revisions revisions) {
    this.jdbc = jdbc;
    this.revisions = revisions;
  }

  /**
   * A source of lines.
   *
   * @param sql a table, or a query in brackets, of {@code member, points, then_by, arrival,
   *     reached_at}
   * @param parameters of the query, in addition to {@code :period} and {@code :revision}
   */
  record Source(String sql, Map<String, Object> parameters) {
    /** The closing's lines, some of them replaced by the corrected lines of the amendment. */
    static Source basis(int closing) {
      return new Source(
          """
          (
            select member, points, coalesce(then_by, 0) as then_by, coalesce(arrival, 0) as arrival,
              reached_at
            from line
            where outcome = :closing
              and not exists (
                select from amended_line amended
                where amended.period_id = :period
                  and amended.revision = :revision
                  and amended.member = line.member)
            union all
            select member, points, then_by, arrival, reached_at
            from amended_line
            where period_id = :period and revision = :revision
          )
          """,
          Map.of("closing", closing));
    }
  }

  /** Writes the lines of an amendment, whose exclusions are frozen. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void rank(Period period, int revision, int outcome, Board board) {
    int closing = revisions.outcome(period.id(), Revision.FIRST);
    rank(period, revision, outcome, board, Source.basis(closing));
  }

  @Transactional(propagation = Propagation.MANDATORY)
  void rank(Period period, int revision, int outcome, Board board, Source source) {
    jdbc.sql(
            OutcomeTables.of(outcome)
                .in(
                    """
                    insert into {lines} (
                      outcome, place, rank, member, points, then_by, arrival, reached_at)
                    select
                      :outcome,
                      case when not hidden then row_number() over exact end,
                      case when not hidden and not unranked then {rank} end,
                      member,
                      points,
                      nullif(then_by, 0),
                      nullif(arrival, 0),
                      reached_at
                    from (
                      select
                        source.*,
                        coalesce(level = 'hidden', false) as hidden,
                        coalesce(level = 'unranked', false) as unranked
                      from {source} source
                      left join frozen_exclusion frozen
                        on frozen.period_id = :period
                        and frozen.revision = :revision
                        and frozen.member = source.member
                    ) line
                    window
                      exact as (
                        order by hidden, unranked, {level}, arrival, reached_at,
                          member collate "C" desc),
                      tied as (order by hidden, unranked, {level})
                    """)
                .replace("{rank}", rank(board.ranks()))
                .replace("{level}", level(board.scale()))
                .replace("{source}", source.sql()))
        .params(source.parameters())
        .param("period", period.id())
        .param("revision", revision)
        .param("outcome", outcome)
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
