package palmares.reward;

import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.board.Board;
import palmares.bulk.Abreast;
import palmares.bulk.Piece;
import palmares.bulk.Room;
import palmares.payout.RewardRule;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.revision.Revision;

/**
 * Writes the awards of a big period's first revision to a table of their own, some pieces of the
 * members side by side. Nobody sees them before {@link Awards#join}.
 */
@Component
public class ManyAwards {
  /** The sums and lines of so many members find room in memory. */
  private static final int PIECE = 1_000_000;

  private final RulePrizes prizes;
  private final AwardRows rows;
  private final Room room;
  private final TransactionTemplate transaction;
  private final Leases leases;

  ManyAwards(
      RulePrizes prizes,
      AwardRows rows,
      Room room,
      TransactionTemplate transaction,
      Leases leases) {
    this.prizes = prizes;
    this.rows = rows;
    this.room = room;
    this.transaction = transaction;
    this.leases = leases;
  }

  /**
   * Writes them, if they are many; what an earlier attempt left is written anew.
   *
   * @param meanwhile is run after each piece
   * @return whether they are
   * @throws AwardsTooLarge if an account could not hold one of them
   */
  public boolean write(Lease lease, Period period, Board board, Runnable meanwhile) {
    var revised = new Revised(period, Revision.FIRST, board);
    long lines = rows.ranked(revised);
    if (!rows.apart(revised, lines)) {
      return false;
    }
    String table = begin(lease, revised);
    // Each rule sees what those above it gave.
    for (RewardRule rule : board.payout().rules()) {
      Abreast.run(
          pieces(rule, lines).stream()
              .map(
                  piece ->
                      (Runnable)
                          () ->
                              within(
                                  lease,
                                  lines,
                                  () -> prizes.award(table, revised, rule, null, piece)))
              .toList(),
          meanwhile);
    }
    return true;
  }

  /** What is there may be another's who took the period over: it stays unless the lease holds. */
  private String begin(Lease lease, Revised revised) {
    String table =
        transaction.execute(
            status -> {
              leases.share(lease);
              return rows.begin(revised);
            });
    return Objects.requireNonNull(table, "table");
  }

  private static List<Piece> pieces(RewardRule rule, long lines) {
    return RulePrizes.goByMember(rule)
        ? Piece.all(Abreast.pieces(lines, PIECE))
        : List.of(Piece.WHOLE);
  }

  private void within(Lease lease, long lines, Runnable work) {
    transaction.executeWithoutResult(
        status -> {
          leases.share(lease);
          room.take(lines);
          work.run();
        });
  }
}
