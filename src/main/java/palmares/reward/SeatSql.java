package palmares.reward;

import palmares.board.Board;
import palmares.board.RankMethod;
import palmares.bulk.Piece;
import palmares.payout.Payout;

/**
 * What every statement about prizes begins with: the ranked lines of a revision and who of them may
 * have a prize, and the seats that prizes go by.
 */
final class SeatSql {
  private static final String LINES =
      """
      line as (
        select
          standing.member,
          standing.place,
          standing.rank,
          standing.points,
          standing.points between :least and :most and frozen.member is null and %s as may
        from standing
        left join frozen_exclusion frozen
          on frozen.period_id = standing.period_id
          and frozen.revision = standing.revision
          and frozen.member = standing.member
        %s
        where standing.period_id = :period
          and standing.revision = :revision
          and %s
          and %s
      )
      """;

  /** A tie's seats follow each other; its position is the first of them. */
  private static final String SEATS =
      """
      , seated as materialized (
        select
          member,
          may,
          row_number() over exact as seat,
          rank() over tied as position,
          %s as rank,
          count(*) over (partition by rank) as size
        from line
        %s
        window exact as (order by place), tied as (order by rank)
      ), band as (
        select * from unnest(:firsts::bigint[], :lasts::bigint[], :prizes::bigint[])
          with ordinality as band (first, last, credits, n)
      )
      """;

  private SeatSql() {}

  /** {@code with line as (...)}: member, place, rank, points, may. */
  static String lines(Payout payout) {
    return lines(payout, Piece.WHOLE);
  }

  /** The same, of the members of a piece. */
  static String lines(Payout payout, Piece piece) {
    return lines(payout, "standing.rank is not null", piece.holds("standing.member"));
  }

  private static String lines(Payout payout, String among, String of) {
    return switch (payout.eligible()) {
      case EVERYBODY -> "with " + LINES.formatted("true", "", among, of);
      case REGISTERED ->
          "with "
              + LINES.formatted(
                  "coalesce(registered.registered_at < :ends, false)",
                  "left join member registered on registered.id = standing.member",
                  among,
                  of);
    };
  }

  /** The same, with {@code seated} (member, may, seat, position, rank, size) and {@code band}. */
  static String seats(Board board) {
    boolean movesUp = board.payout().forfeited() == Payout.Forfeited.MOVES_UP;
    // Where nobody moves up, whoever's rank is behind the last prize has no seat before it.
    String among = movesUp ? "standing.rank is not null" : "standing.rank <= :last";
    return lines(board.payout(), among, "true")
        + SEATS.formatted(rank(board.ranks()), movesUp ? "where may" : "");
  }

  private static String rank(RankMethod method) {
    return switch (method) {
      case UNIQUE -> "row_number() over exact";
      case COMPETITION -> "rank() over tied";
      case DENSE -> "dense_rank() over tied";
    };
  }
}
