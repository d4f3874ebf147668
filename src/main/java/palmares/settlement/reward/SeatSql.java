package palmares.settlement.reward;

import java.util.Map;
import palmares.platform.sql.SqlFile;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;

/**
 * Builds the beginning of every statement about prizes: the ranked lines of a revision, which of
 * them may win, and the seats that prizes go by.
 */
final class SeatSql {
  private static final String LINES = read("ranked-lines.sql");

  private static final String SEATS = read("seats.sql");

  private SeatSql() {}

  /**
   * The SQL that computes what a rule gives.
   *
   * @param sql common table expressions, the last of them {@code due}: member, credits
   * @param parameters in addition to {@link RevisionContext#parameters()}
   */
  record Due(String sql, Map<String, Object> parameters) {}

  /** Reads a statement, or a part of one, of this package. */
  static String read(String file) {
    return SqlFile.read(SeatSql.class, file) + "\n";
  }

  /** Returns {@code with ranked as (...)}: member, place, rank, points, may. */
  static String lines(RevisionContext context) {
    return lines(context, "line.rank is not null");
  }

  private static String lines(RevisionContext context, String among) {
    return switch (context.board().payout().eligible()) {
      case EVERYBODY -> lines(context, among, "true", "");
      case REGISTERED ->
          lines(
              context,
              among,
              "coalesce(registered.registered_at < :ends, false)",
              "left join member registered on registered.id = line.member");
    };
  }

  private static String lines(
      RevisionContext context, String among, String eligible, String registrations) {
    return LINES
        .replace("{lines}", context.lines())
        .replace("{among}", among)
        .replace("{eligible}", eligible)
        .replace("{registrations}", registrations);
  }

  /** Adds {@code seated} (member, may, seat, position, rank, size) and {@code band}. */
  static String seats(RevisionContext context) {
    Board board = context.board();
    boolean movesUp = board.payout().forfeited().movesUp();
    // If nobody moves up, members ranked after the last prize have no seat before it.
    String among = movesUp ? "line.rank is not null" : "line.rank <= :last";
    return lines(context, among)
        + SEATS
            .replace("{rank}", rank(board.ranks()))
            .replace("{among}", movesUp ? "where may" : "");
  }

  private static String rank(RankMethod method) {
    return switch (method) {
      case UNIQUE -> "row_number() over exact";
      case COMPETITION -> "rank() over tied";
      case DENSE -> "dense_rank() over tied";
    };
  }
}
