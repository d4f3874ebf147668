package palmares.operations.report;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.sql.FromReplica;
import palmares.platform.text.Choice;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Reads moves between the tiers of families, from the view {@code tier_overview}. */
@Component
public class TierHistory {
  private final JdbcClient jdbc;

  TierHistory(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * The move of a member between the tiers of a family.
   *
   * @param tier the tier that the member leaves
   * @param board the board of that tier
   * @param place the place of the member there
   * @param toTier the tier that it moves to
   * @param toBoard the board of that tier in the same period; null if none had one
   */
  public record TierMove(
      int tier,
      BoardId board,
      long place,
      String member,
      long points,
      Direction direction,
      int toTier,
      @Nullable BoardId toBoard) {}

  /** Which way a member moves. */
  public enum Direction implements Choice {
    UP,
    DOWN
  }

  /** Whether any member ever moved in a family with this name. */
  public boolean knows(String family) {
    return jdbc.sql(
            """
            select exists (
              select from tier_move
              join period on period.id = tier_move.period_id
              where family = :family and is_settled(period.state))
            """)
        .param("family", family)
        .query(Boolean.class)
        .single();
  }

  /** The latest settled period of any of these boards. */
  public Optional<PeriodName> latest(Collection<BoardId> boards) {
    return jdbc.sql(
            """
            select period from period_overview
            where board = any(:boards) and settled_at is not null
            order by starts_at desc
            limit 1
            """)
        .param("boards", boards)
        .query(PeriodName.class)
        .optional();
  }

  /** The boards whose period with this name is not settled, or was never opened. */
  public List<BoardId> unsettled(Collection<BoardId> boards, PeriodName period) {
    return jdbc.sql(
            """
            select board
            from unnest(:boards::text[]) with ordinality as known (board, n)
            where not exists (
              select from period_overview
              where period_overview.board = known.board
                and period = :period
                and settled_at is not null)
            order by n
            """)
        .param("boards", boards)
        .param("period", period)
        .query(BoardId.class)
        .list();
  }

  /** The moves in a period, from the top tier down, by place. */
  @FromReplica
  public List<TierMove> of(String family, PeriodName period) {
    List<Integer> outcomes =
        jdbc.sql(
                """
                select distinct revision.id
                from tier_move
                join revision using (period_id, revision)
                join period on period.id = tier_move.period_id
                where family = :family and period.name = :period
                """)
            .param("family", family)
            .param("period", period)
            .query(Integer.class)
            .list();
    if (outcomes.isEmpty()) {
      return List.of(); // An empty array would prune no partition.
    }
    return jdbc.sql(
            """
            select tier, board, place, member, points, direction, to_tier, to_board
            from tier_overview
            where outcome = any(:outcomes::int[]) and family = :family and period = :period
            order by tier, board, place
            """)
        .param("outcomes", outcomes)
        .param("family", family)
        .param("period", period)
        .query(TierMove.class)
        .list();
  }
}
