package palmares.settlement.lines;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.Population;
import palmares.rules.board.Board;
import palmares.settlement.lines.LineRows.Totals;

/**
 * Proves the lines of a closing before anything is paid by them: the population at the seal, the
 * lines that were written, the lines that are stored and the journal must all say the same, to the
 * last point and the last tick. An adopted board has no journal: it was added up at the seal and
 * again from its lines, and what its encoding lost is kept.
 */
@Component
class Reconciliation {
  private final JournalReconciliation journal;
  private final SharedRankCheck sharedRanks;
  private final OrderLosses losses;

  Reconciliation(JournalReconciliation journal, SharedRankCheck sharedRanks, OrderLosses losses) {
    this.journal = journal;
    this.sharedRanks = sharedRanks;
    this.losses = losses;
  }

  /**
   * Proves the period's lines, in the caller's transaction.
   *
   * @param written what was read of the board and sent to PostgreSQL
   * @throws Mismatch if they do not agree; names the figures and the first members that differ
   */
  void check(Period period, int outcome, Board board, Totals written) {
    check(
        period,
        outcome,
        board,
        written,
        board.adoption() == null ? journal.journaled(period, board.scale()) : null);
  }

  /**
   * As the other.
   *
   * @param journaled the sums of the journal; null for an adopted board
   */
  void check(
      Period period,
      int outcome,
      Board board,
      Totals written,
      JournalReconciliation.@Nullable Sums journaled) {
    Population sealed = Objects.requireNonNull(period.population(), "sealed");
    var faults = new ArrayList<String>();
    compare(faults, "the board", written.lines(), written.points(), sealed);
    JournalReconciliation.Sums stored = journal.stored(outcome);
    compare(faults, "the lines", stored.members(), stored.points(), sealed);
    if (journaled != null) {
      faults.addAll(journal.differences(period, outcome, board, stored, journaled));
    } else if (Objects.requireNonNull(board.adoption()).encoding().keepsRanks()) {
      faults.addAll(sharedRanks.differences(period, outcome, board));
    }
    if (!faults.isEmpty()) {
      throw new Mismatch(period, faults);
    }
    if (board.adoption() != null) {
      losses.record(period, outcome, board);
    }
  }

  private static void compare(
      List<String> faults, String what, long members, long points, Population sealed) {
    if (members != sealed.members() || points != sealed.points()) {
      faults.add(
          "%s: %d members with %d points, sealed were %d with %d"
              .formatted(what, members, points, sealed.members(), sealed.points()));
    }
  }
}
