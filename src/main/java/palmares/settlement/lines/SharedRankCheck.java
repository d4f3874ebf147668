package palmares.settlement.lines;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.FrozenBoard;
import palmares.live.board.FrozenBoard.Count;
import palmares.period.Period;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.settlement.outcome.OutcomeTables;

/**
 * Compares the three keys of a shared-rank board with each other. It ignores 0 points, from which
 * the usual script subtracts every new member without having added it.
 */
@Component
public class SharedRankCheck {
  private static final int MAX_NAMED_COUNTS = 10;

  private static final String DIFFERENCES =
      """
      with held as (
        select points, count(*) as members
        from {lines}
        where outcome = :outcome and points <> 0
        group by points
      ), claimed as (
        select points, members, standing
        from counted
        where points <> 0 and (members <> 0 or standing)
      )
      select
        points,
        coalesce(held.members, 0) as members,
        coalesce(claimed.members, 0) as counted,
        coalesce(claimed.standing, false) as is_score
      from held
      full join claimed using (points)
      where held.members is distinct from claimed.members or not claimed.standing
      order by points desc
      limit :named
      """;

  private final FrozenBoard live;
  private final JdbcClient jdbc;

  SharedRankCheck(FrozenBoard live, JdbcClient jdbc) {
    this.live = live;
    this.jdbc = jdbc;
  }

  /** Describes the first counts and scores that differ from the lines. Needs a transaction. */
  public List<Sentence> differences(Period period, int outcome, Board board) {
    jdbc.sql(
            """
            create temporary table counted (
              points bigint primary key,
              members bigint not null default 0,
              standing boolean not null default false
            ) on commit drop
            """)
        .update();
    live.counts(period, board, this::addCounts);
    live.scores(period, board, this::addScores);
    List<ReconciliationSentences.SharedRank> differences =
        jdbc.sql(OutcomeTables.of(outcome).in(DIFFERENCES))
            .param("outcome", outcome)
            .param("named", MAX_NAMED_COUNTS)
            .query(ReconciliationSentences.SharedRank.class)
            .list();
    return List.copyOf(differences);
  }

  private void addCounts(List<Count> counts) {
    jdbc.sql(
            """
            insert into counted (points, members)
            select * from unnest(:points::bigint[], :members::bigint[])
            on conflict (points) do nothing
            """)
        .param("points", counts.stream().map(Count::points).toList())
        .param("members", counts.stream().map(Count::members).toList())
        .update();
  }

  private void addScores(List<Long> points) {
    jdbc.sql(
            """
            insert into counted (points, standing)
            select unnest(:points::bigint[]), true
            on conflict (points) do update set standing = true
            """)
        .param("points", points)
        .update();
  }
}
