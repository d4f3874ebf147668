package palmares.settlement.lines;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.FrozenBoard;
import palmares.live.board.FrozenBoard.Count;
import palmares.period.Period;
import palmares.rules.board.Board;

/**
 * Holds the three keys of shared ranks against one another. What they say of 0 points is left out:
 * the well-known script counts every newcomer out of 0, where it was never counted in.
 */
@Component
class SharedRankCheck {
  private static final int NAMED = 10;

  private static final String DIFFERENCES =
      """
      with held as (
        select points, count(*) as members
        from line
        where outcome = :outcome and points <> 0
        group by points
      ), told as (
        select points, members, standing
        from counted
        where points <> 0 and (members <> 0 or standing)
      )
      select
        points,
        coalesce(held.members, 0) as held,
        coalesce(told.members, 0) as counted,
        coalesce(told.standing, false) as standing
      from held
      full join told using (points)
      where held.members is distinct from told.members or not told.standing
      order by points desc
      limit :named
      """;

  private final FrozenBoard live;
  private final JdbcClient jdbc;

  SharedRankCheck(FrozenBoard live, JdbcClient jdbc) {
    this.live = live;
    this.jdbc = jdbc;
  }

  /** The first differences of counts, and of scores, from the lines; in a transaction. */
  List<String> differences(Period period, int outcome, Board board) {
    jdbc.sql(
            """
            create temporary table counted (
              points bigint primary key,
              members bigint not null default 0,
              standing boolean not null default false
            ) on commit drop
            """)
        .update();
    live.counts(period, board, this::count);
    live.scores(period, board, this::stand);
    return jdbc.sql(DIFFERENCES)
        .param("outcome", outcome)
        .param("named", NAMED)
        .query(
            (row, n) ->
                "%d points: %d members hold them, %d are counted, and they %s among the scores"
                    .formatted(
                        row.getLong("points"),
                        row.getLong("held"),
                        row.getLong("counted"),
                        row.getBoolean("standing") ? "are" : "are not"))
        .list();
  }

  private void count(List<Count> counts) {
    jdbc.sql(
            """
            insert into counted (points, members)
            select * from unnest(:points::bigint[], :members::bigint[])
            on conflict (points) do nothing
            """)
        .param("points", counts.stream().map(Count::points).toArray(Long[]::new))
        .param("members", counts.stream().map(Count::members).toArray(Long[]::new))
        .update();
  }

  private void stand(List<Long> points) {
    jdbc.sql(
            """
            insert into counted (points, standing)
            select unnest(:points::bigint[]), true
            on conflict (points) do update set standing = true
            """)
        .param("points", points.toArray(Long[]::new))
        .update();
  }
}
