package palmares.settlement.reward;

import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.rules.payout.Payout;

/**
 * What every statement about prizes begins with: the ranked lines of a revision and who of them may
 * have a prize, and the seats that prizes go by.
 */
final class SeatSql {
  private static final String LINES =
      """
      ranked as (
        select
          line.member,
          line.place,
          line.rank,
          line.points,
          line.points between :least and :most and frozen.member is null and %1$s as may
        from %4$s line
        left join frozen_exclusion frozen
          on frozen.period_id = :period
          and frozen.revision = :revision
          and frozen.member = line.member
        %2$s
        where line.outcome = :outcome and %3$s
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
        from ranked
        %s
        window exact as (order by place), tied as (order by rank)
      ), band as (
        select * from unnest(:firsts::bigint[], :lasts::bigint[], :prizes::bigint[])
          with ordinality as band (first, last, credits, n)
      )
      """;

  private SeatSql() {}

  /** {@code with ranked as (...)}: member, place, rank, points, may. */
  static String lines(RevisionContext revised) {
    return lines(revised, "line.rank is not null");
  }

  private static String lines(RevisionContext revised, String among) {
    return switch (revised.board().payout().eligible()) {
      case EVERYBODY -> "with " + LINES.formatted("true", "", among, revised.lines());
      case REGISTERED ->
          "with "
              + LINES.formatted(
                  "coalesce(registered.registered_at < :ends, false)",
                  "left join member registered on registered.id = line.member",
                  among,
                  revised.lines());
    };
  }

  /** The same, with {@code seated} (member, may, seat, position, rank, size) and {@code band}. */
  static String seats(RevisionContext revised) {
    Board board = revised.board();
    boolean movesUp = board.payout().forfeited() == Payout.Forfeited.MOVES_UP;
    // Where nobody moves up, whoever's rank is behind the last prize has no seat before it.
    String among = movesUp ? "line.rank is not null" : "line.rank <= :last";
    return lines(revised, among) + SEATS.formatted(rank(board.ranks()), movesUp ? "where may" : "");
  }

  private static String rank(RankMethod method) {
    return switch (method) {
      case UNIQUE -> "row_number() over exact";
      case COMPETITION -> "rank() over tied";
      case DENSE -> "dense_rank() over tied";
    };
  }
}
