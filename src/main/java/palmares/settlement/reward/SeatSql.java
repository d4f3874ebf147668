package palmares.settlement.reward;

import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.rules.payout.Payout;

/**
 * Builds the beginning of every statement about prizes: the ranked lines of a revision, which of
 * them may win, and the seats that prizes go by.
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

  /** A tie takes consecutive seats; its position is the first of them. */
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

  /** Returns {@code with ranked as (...)}: member, place, rank, points, may. */
  static String lines(RevisionContext context) {
    return lines(context, "line.rank is not null");
  }

  private static String lines(RevisionContext context, String among) {
    return switch (context.board().payout().eligible()) {
      case EVERYBODY -> "with " + LINES.formatted("true", "", among, context.lines());
      case REGISTERED ->
          "with "
              + LINES.formatted(
                  "coalesce(registered.registered_at < :ends, false)",
                  "left join member registered on registered.id = line.member",
                  among,
                  context.lines());
    };
  }

  /** Adds {@code seated} (member, may, seat, position, rank, size) and {@code band}. */
  static String seats(RevisionContext context) {
    Board board = context.board();
    boolean movesUp = board.payout().forfeited() == Payout.Forfeited.MOVES_UP;
    // If nobody moves up, members ranked after the last prize have no seat before it.
    String among = movesUp ? "line.rank is not null" : "line.rank <= :last";
    return lines(context, among) + SEATS.formatted(rank(board.ranks()), movesUp ? "where may" : "");
  }

  private static String rank(RankMethod method) {
    return switch (method) {
      case UNIQUE -> "row_number() over exact";
      case COMPETITION -> "rank() over tied";
      case DENSE -> "dense_rank() over tied";
    };
  }
}
